//! The types of ROS that this client speaks, written by hand as they lie on the wire. simulation_interfaces are those of 1.x:
//! ros2-client announces no type hashes, and who announces none is answered in that line.

use ros2_client::{Message, builtin_interfaces::Time};
use serde::{Deserialize, Serialize};

macro_rules! messages {
    ($($name:ident { $($field:ident: $kind:ty),* $(,)? })*) => { $(
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub struct $name { $(pub $field: $kind),* }
        impl Message for $name {}
    )* };
}

messages! {
    Header { stamp: Time, frame_id: String }
    Clock { clock: Time }
    Text { data: String }
    Number { data: u32 }
    Dimension { label: String, size: u32, stride: u32 }
    Layout { dim: Vec<Dimension>, data_offset: u32 }
    Octets { layout: Layout, data: Vec<u8> }
    Triggered { success: bool, message: String }

    Vector3 { x: f64, y: f64, z: f64 }
    Quaternion { x: f64, y: f64, z: f64, w: f64 }
    Pose { position: Vector3, orientation: Quaternion }
    PoseStamped { header: Header, pose: Pose }
    Twist { linear: Vector3, angular: Vector3 }
    Transform { translation: Vector3, rotation: Quaternion }
    TransformStamped { header: Header, child_frame_id: String, transform: Transform }
    Transforms { transforms: Vec<TransformStamped> }
    Covariance { first: [f64; 32], last: [f64; 4] } // serde stops at 32, the wire has no seam
    PoseWithCovariance { pose: Pose, covariance: Covariance }
    TwistWithCovariance { twist: Twist, covariance: Covariance }
    Odometry { header: Header, child_frame_id: String, pose: PoseWithCovariance, twist: TwistWithCovariance }

    LaserScan {
        header: Header, angle_min: f32, angle_max: f32, angle_increment: f32, time_increment: f32, scan_time: f32,
        range_min: f32, range_max: f32, ranges: Vec<f32>, intensities: Vec<f32>,
    }
    PointField { name: String, offset: u32, datatype: u8, count: u32 }
    PointCloud2 {
        header: Header, height: u32, width: u32, fields: Vec<PointField>, is_bigendian: bool, point_step: u32, row_step: u32,
        data: Vec<u8>, is_dense: bool,
    }

    Outcome { result: u8, error_message: String }
    SimulationState { state: u8 }
    Nothing { structure_needs_at_least_one_member: u8 }
    GetSimulationState { state: SimulationState, result: Outcome }
    Only { result: Outcome }
    SpawnEntity {
        name: String, allow_renaming: bool, uri: String, resource_string: String, entity_namespace: String, initial_pose: PoseStamped,
    }
    Spawned { result: Outcome, entity_name: String }
    TagsFilter { tags: Vec<String>, filter_mode: u8 }
    Bounds { kind: u8, points: Vec<Vector3> }
    GetEntities { filter: String, categories: Vec<u8>, tags: TagsFilter, bounds: Bounds }
    Entities { result: Outcome, entities: Vec<String> }
    Entity { entity: String }
    EntityState { header: Header, pose: Pose, twist: Twist, acceleration: Twist }
    GotEntityState { result: Outcome, state: EntityState }
    Steps { steps: u64 }
    Progress { completed_steps: u64, remaining_steps: u64 }
}

pub const ZERO: Vector3 = Vector3 { x: 0.0, y: 0.0, z: 0.0 };

/// Upright at a place of the world.
pub fn at(x: f64, y: f64, z: f64) -> PoseStamped {
    PoseStamped {
        header: Header { stamp: Time::ZERO, frame_id: String::new() },
        pose: Pose { position: Vector3 { x, y, z }, orientation: Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 } },
    }
}
