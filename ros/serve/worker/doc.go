// Package worker makes a simulator a simulation worker of l2_msgs: a viewer of many simulations finds it by
// its Simulation messages and draws it. All topics of its world stand in the namespace of its node, so that
// many share a network. They are simulation, joint_states, object3d and, by package robot's Inside, clock,
// tf, tf_static and every robot's topics.
//
// The world's text reaches viewers as it was read; poses are in the world frame, in ROS axes. An Object3D of
// object3d has the pose of an entity's model frame, which the poses in its file refer to. Its data is the
// text of an entity that was spawned, once a second. Of the others it is empty, as the world's text has them.
package worker
