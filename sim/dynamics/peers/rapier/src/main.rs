//! Rapier with its defaults (four substeps), reading the scene that scene.hpp describes.
use rapier3d::math::{Pose, Rotation, Vector};
use rapier3d::prelude::*;
use std::io::Read;

extern "C" {
    fn clock_gettime(clock: i32, t: *mut [i64; 2]) -> i32;
}

fn milliseconds() -> f64 {
    let mut t = [0i64; 2];
    unsafe { clock_gettime(3, &mut t) }; // of this thread's own time
    t[0] as f64 * 1e3 + t[1] as f64 * 1e-6
}

struct Words<'a>(std::str::SplitAsciiWhitespace<'a>);

impl Words<'_> {
    fn number(&mut self) -> f64 {
        self.0.next().expect("a number").parse().expect("a number")
    }
    fn vector(&mut self) -> Vector {
        let (x, y, z) = (self.number(), self.number(), self.number());
        Vector::new(x as f32, y as f32, z as f32)
    }
    fn rotation(&mut self) -> Rotation {
        let (w, x, y, z) = (self.number(), self.number(), self.number(), self.number());
        Rotation::from_xyzw(x as f32, y as f32, z as f32, w as f32)
    }
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("a scene");
    let mut words = Words(text.split_ascii_whitespace());
    let mut w = PhysicsWorld::new();
    w.gravity = Vector::new(0.0, 0.0, -9.81);
    let (mut steps, mut mu) = (0, 0.0f32);
    let mut bodies: Vec<RigidBodyHandle> = vec![];
    while let Some(word) = words.0.next() {
        match word {
            "world" => {
                w.integration_parameters.dt = words.number() as f32;
                steps = words.number() as usize;
                mu = words.number() as f32;
                let ground = w.insert_body(RigidBodyBuilder::fixed().translation(Vector::new(0.0, 0.0, -1.0)));
                w.insert_collider(ColliderBuilder::cuboid(200.0, 200.0, 1.0).friction(mu), Some(ground));
            }
            "body" => {
                let mass = words.number();
                let group = words.number() as u128;
                let shape = words.0.next().expect("a shape");
                let d = words.vector();
                let pose = Pose::from_parts(words.vector(), words.rotation());
                let body = w.insert_body(RigidBodyBuilder::dynamic().pose(pose).can_sleep(false).user_data(group));
                let collider = match shape {
                    "box" => ColliderBuilder::cuboid(d.x, d.y, d.z),
                    "ball" => ColliderBuilder::ball(d.x),
                    _ => ColliderBuilder::cylinder(d.y, d.x).position(Pose::from_parts(
                        Vector::new(0.0, 0.0, 0.0),
                        Rotation::from_rotation_x(std::f32::consts::FRAC_PI_2),
                    )),
                };
                w.insert_collider(collider.friction(mu).mass(mass as f32), Some(body));
                bodies.push(body);
            }
            "hinge" => {
                let (parent, child) = (words.number(), bodies[words.number() as usize]);
                let (at, axis) = (words.vector(), words.vector());
                let (speed, effort) = (words.number() as f32, words.number() as f32);
                let parent = if parent < 0.0 { w.insert_body(RigidBodyBuilder::fixed()) } else { bodies[parent as usize] };
                let (a, b) = (*w.bodies[parent].position(), *w.bodies[child].position());
                let turn = Rotation::from_rotation_arc(Vector::X, axis);
                let joint = GenericJointBuilder::new(JointAxesMask::LOCKED_REVOLUTE_AXES)
                    .local_frame1(Pose::from_parts(a.inverse().transform_point(at), a.rotation.inverse() * turn))
                    .local_frame2(Pose::from_parts(b.inverse().transform_point(at), b.rotation.inverse() * turn))
                    .contacts_enabled(false)
                    .motor_velocity(JointAxis::AngX, speed, 1e6)
                    .motor_max_force(JointAxis::AngX, effort);
                w.insert_impulse_joint(parent, child, joint.build());
            }
            other => panic!("what is {other}?"),
        }
    }
    let mut times: Vec<f64> = (0..steps)
        .map(|_| {
            let start = milliseconds();
            w.step();
            milliseconds() - start
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("ms {}", times[steps / 2]);
    for b in &bodies {
        let p = w.bodies[*b].position();
        let (t, r) = (p.translation, p.rotation);
        println!("pose {} {} {} {} {} {} {}", t.x, t.y, t.z, r.w, r.x, r.y, r.z);
    }
}
