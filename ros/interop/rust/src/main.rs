//! A client of simdeck that shares no line of code with it and none with ROS: ros2-client on RustDDS.
//!
//!     peer DOMAIN graph ENDING… | listen TOPIC KIND QUALITY COUNT | visit NAME Y ROUNDS PADDING | drive ROBOT METRES | steps COUNT CANCEL_AFTER | parameters FACTOR | serve
//!
//! It does what it is told, prints what it saw as one line of JSON, and leaves. The tests beside it judge.

mod bench;
mod interfaces;
mod peer;

use std::time::Duration;

use futures::StreamExt;
use interfaces::*;
use peer::{Answer, Peer, ask, matched, quality, quality_of_services, within};
use ros2_client::{
    ActionTypeName, Name, Node, NodeEvent, ServiceMapping,
    action::{ActionClient, ActionClientQosPolicies, GoalStatusEnum},
    builtin_interfaces::Time,
    parameters::raw::{Parameter, ParameterValue},
    rcl_interfaces::{GetParametersRequest, GetParametersResponse, SetParametersRequest, SetParametersResponse},
};
use serde_json::{Value, json};

const BOX: &str = r#"<sdf version="1.9"><model name="parcel"><link name="body">
<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link></model></sdf>"#;

fn main() -> Answer<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (domain, words) = words.split_first().ok_or("peer DOMAIN ACTION …, see its source")?;
    let said = smol::block_on(act(Peer::new(domain.parse()?, "rust_peer")?, words))?;
    println!("{said}");
    Ok(())
}

async fn act(mut peer: Peer, words: &[&str]) -> Answer<Value> {
    match words {
        ["graph", endings @ ..] => graph(peer, endings).await,
        ["listen", topic, kind, quality_name, count] => listen(&mut peer, topic, kind, quality_name, count.parse()?).await,
        ["visit", name, y, rounds, padding] => visit(&mut peer, name, y.parse()?, rounds.parse()?, padding.parse()?).await,
        ["drive", robot, metres] => drive(&mut peer, robot, metres.parse()?).await,
        ["steps", count, cancel_after] => steps(&mut peer, count.parse()?, cancel_after.parse()?).await,
        ["serve"] => bench::serve(&mut peer).await,
        ["parameters", factor] => parameters(&mut peer, factor.parse()?).await,
        _ => Err(format!("no action {words:?}").into()),
    }
}

/// The node that is told and the topics that are found, once there is one with each of the endings.
async fn graph(peer: Peer, endings: &[&str]) -> Answer<Value> {
    let events = peer.node.status_receiver().ok_or("the node does not spin")?;
    let node = within("the node simdeck", async {
        loop {
            if let NodeEvent::ParticipantEntities(told) = events.recv().await? {
                if let Some(node) = told.nodes().iter().find(|n| n.name() == "simdeck") {
                    return Answer::Ok(format!("{}{}", node.namespace(), node.name()));
                }
            }
        }
    });
    let node = node.await??;
    let topics = within("all topics", async {
        loop {
            let found = peer.context.discovered_topics();
            if endings.iter().all(|e| found.iter().any(|t| t.name.ends_with(e))) {
                return found;
            }
            smol::Timer::after(Duration::from_millis(20)).await;
        }
    });
    let topics: serde_json::Map<String, Value> = topics.await?.into_iter().map(|t| (t.name, Value::from(t.type_name))).collect();
    Ok(json!({ "node": node, "topics": topics }))
}

async fn listen(peer: &mut Peer, topic: &str, kind: &str, name: &str, count: usize) -> Answer<Value> {
    let quality = quality(name)?;
    Ok(match kind {
        "rosgraph_msgs/Clock" => json!(peer.collect::<Clock>(topic, kind, quality, count).await?),
        "sensor_msgs/LaserScan" => json!(peer.collect::<LaserScan>(topic, kind, quality, count).await?),
        "nav_msgs/Odometry" => json!(peer.collect::<Odometry>(topic, kind, quality, count).await?),
        "tf2_msgs/TFMessage" => json!(peer.collect::<Transforms>(topic, kind, quality, count).await?),
        "sensor_msgs/PointCloud2" => {
            let clouds = peer.collect::<PointCloud2>(topic, kind, quality, count).await?;
            let brief = |c: PointCloud2| json!({ "header": c.header, "size": c.data.len(), "rows": c.height, "row": c.row_step, "filled": filled(&c) });
            clouds.into_iter().map(brief).collect()
        }
        _ => return Err(format!("no type {kind} here").into()),
    })
}

/// The share of a cloud's octets that are not zero: an image of it that was put together wrongly has holes.
fn filled(c: &PointCloud2) -> f64 {
    c.data.iter().filter(|&&b| b != 0).count() as f64 / c.data.len() as f64
}

/// A visit of a user, again and again: looks, spawns (from a text made longer by padding), asks where it is, deletes. It says "ready" when
/// it found everything, and begins at a line, or the end, of its input.
async fn visit(peer: &mut Peer, name: &str, y: f64, rounds: usize, padding: usize) -> Answer<Value> {
    let state: GetSimulationState = peer.call("/get_simulation_state", "simulation_interfaces/GetSimulationState", nothing()).await?;
    let spawn = peer.client::<SpawnEntity, Spawned>("/spawn_entity", "simulation_interfaces/SpawnEntity").await?;
    let list = peer.client::<GetEntities, Entities>("/get_entities", "simulation_interfaces/GetEntities").await?;
    let place = peer.client::<Entity, GotEntityState>("/get_entity_state", "simulation_interfaces/GetEntityState").await?;
    let delete = peer.client::<Entity, Only>("/delete_entity", "simulation_interfaces/DeleteEntity").await?;
    println!("ready");
    std::io::stdin().read_line(&mut String::new())?;
    let mut visits = Vec::new();
    for round in 0..rounds {
        let wish = SpawnEntity {
            name: format!("{name}_{round}"),
            allow_renaming: false,
            uri: String::new(),
            resource_string: BOX.replace("<model", &format!("<!-- {} --><model", "x".repeat(padding))),
            entity_namespace: String::new(),
            initial_pose: at(70.0 + round as f64, y, 0.1),
        };
        let spawned = ask(&spawn, "spawn_entity", wish).await?;
        let listed = ask(&list, "get_entities", everything()).await?;
        let entity = Entity { entity: spawned.entity_name.clone() };
        let at = ask(&place, "get_entity_state", entity.clone()).await?.state.pose.position;
        let deleted = ask(&delete, "delete_entity", entity.clone()).await?;
        let again = ask(&delete, "delete_entity", entity).await?;
        visits.push(json!({
            "name": spawned.entity_name, "spawned": spawned.result.result, "listed": listed.entities.contains(&spawned.entity_name),
            "at": [at.x, at.y], "deleted": deleted.result.result, "again": again.result.result, "why": again.result.error_message,
        }));
    }
    Ok(json!({ "state": state.state.state, "visits": visits }))
}

fn nothing() -> Nothing {
    Nothing { structure_needs_at_least_one_member: 0 }
}

fn everything() -> GetEntities {
    GetEntities {
        filter: String::new(), categories: vec![], tags: TagsFilter { tags: vec![], filter_mode: 0 }, bounds: Bounds { kind: 0, points: vec![] },
    }
}

/// Drives forward until odometry says that it is far enough, and stops.
async fn drive(peer: &mut Peer, robot: &str, metres: f64) -> Answer<Value> {
    let odometry = peer.listen::<Odometry>(&format!("/{robot}/odom"), "nav_msgs/Odometry", quality("reliable")?)?;
    let command = peer.publisher::<Twist>(&format!("/{robot}/cmd_vel"), "geometry_msgs/Twist").await?;
    let mut places = Box::pin(odometry.async_stream());
    let (mut start, mut heard): (Option<Vector3>, usize) = (None, 0);
    within(&format!("{robot} to go {metres} m and to stop"), async {
        loop {
            let (m, _) = places.next().await.ok_or("the stream of odometry ended")??;
            let p = m.pose.pose.position;
            let from = start.get_or_insert(p.clone());
            let gone = (p.x - from.x).hypot(p.y - from.y);
            let speed = if gone < metres { 0.2 } else { 0.0 };
            if speed == 0.0 && m.twist.twist.linear.x.abs() < 1e-3 {
                return Answer::Ok(json!({ "gone": gone, "heard": heard }));
            }
            heard += 1;
            if heard % 3 == 1 {
                command.async_publish(Twist { linear: Vector3 { x: speed, ..ZERO }, angular: ZERO }).await?;
            }
        }
    })
    .await?
}

/// A goal of simulate_steps; cancelled after a number of feedback messages unless that is 0.
async fn steps(peer: &mut Peer, count: u64, cancel_after: usize) -> Answer<Value> {
    let services = quality_of_services();
    let make = |node: &mut Node| -> Answer<ActionClient<Steps, Only, Progress>> {
        let qualities = ActionClientQosPolicies {
            goal_service: services.clone(), result_service: services.clone(), cancel_service: services.clone(),
            feedback_subscription: quality("reliable")?, status_subscription: quality("latched")?,
        };
        let kind = ActionTypeName::new("simulation_interfaces", "SimulateSteps");
        Ok(node.create_action_client(ServiceMapping::Enhanced, &Name::parse("/simulate_steps")?, &kind, qualities)?)
    };
    let client = matched(&mut peer.node, "the action", make, async |client, node| {
        client.goal_client().wait_for_service(node).await;
        client.result_client().wait_for_service(node).await;
        client.cancel_client().wait_for_service(node).await;
        client.feedback_subscription().wait_for_publisher(node).await;
    })
    .await?;
    let (goal, answer) = within("an answer to the goal", client.async_send_goal(Steps { steps: count })).await??;
    let mut feedback = Box::pin(client.feedback_stream(goal));
    let mut told = Vec::new();
    let mut canceled = Value::Null;
    if cancel_after > 0 {
        while told.len() < cancel_after {
            told.push(within("feedback", feedback.next()).await?.ok_or("no more feedback")??.completed_steps);
        }
        let answer = within("an answer to the cancellation", client.async_cancel_goal(goal, Time::ZERO)).await??;
        canceled = json!({ "code": answer.return_code, "goals": answer.goals_canceling.len() });
    }
    let (status, result) = within("the result", client.async_request_result(goal)).await??;
    while status == GoalStatusEnum::Succeeded && told.last() != Some(&count) {
        told.push(within("the last feedback", feedback.next()).await?.ok_or("no more feedback")??.completed_steps);
    }
    Ok(json!({ "accepted": answer.accepted, "status": status, "result": result.result, "feedback": told, "canceled": canceled }))
}

/// Reads a parameter, sets it, reads it again.
async fn parameters(peer: &mut Peer, factor: f64) -> Answer<Value> {
    const NAME: &str = "real_time_factor";
    let get = peer.client::<GetParametersRequest, GetParametersResponse>("/simdeck/get_parameters", "rcl_interfaces/GetParameters").await?;
    let value = async || -> Answer<f64> {
        let answer = ask(&get, "get_parameters", GetParametersRequest { names: vec![NAME.into()] }).await?;
        Ok(answer.values.first().ok_or("no value")?.double_value)
    };
    let before = value().await?;
    let wish = ParameterValue {
        ptype: 3, boolean_value: false, int_value: 0, double_value: factor, string_value: String::new(), byte_array: vec![], bool_array: vec![],
        int_array: vec![], double_array: vec![], string_array: vec![],
    };
    let request = SetParametersRequest { parameter: vec![Parameter { name: NAME.into(), value: wish }] };
    let answer: SetParametersResponse = peer.call("/simdeck/set_parameters", "rcl_interfaces/SetParameters", request).await?;
    let done: Vec<bool> = answer.results.iter().map(|r| r.successful).collect();
    Ok(json!({ "before": before, "done": done, "after": value().await? }))
}
