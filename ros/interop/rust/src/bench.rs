//! The other side of throughput.py, as the rclpy node there and simdeck's in ros/transport/peer_test.go are: it answers, echoes and
//! streams on demand, until it is killed.

use std::time::{Duration, Instant};

use futures::StreamExt;
use ros2_client::{
    Message, Name, Publisher, QosProfile, ServiceMapping, ServiceTypeName,
    qos::{History, WhenFull},
};
use serde_json::Value;
use smol::channel::Receiver;

use crate::{
    interfaces::{Clock, Layout, Nothing, Number, Octets, Text, Triggered},
    peer::{Answer, Peer, kind_of, quality_of_services},
};

fn reliable(depth: usize) -> QosProfile {
    QosProfile::publisher_default().history(History::KeepLast { depth }).reliability_reliable(WhenFull::DEFAULT)
}

fn publisher<M: Message + 'static>(peer: &mut Peer, topic: &str, kind: &str, depth: usize) -> Answer<Publisher<M>> {
    let name = peer.node.create_topic(&Name::parse(topic)?, kind_of(kind), &reliable(depth))?;
    Ok(peer.node.create_publisher(&name, Some(reliable(depth)))?)
}

struct Bench {
    data: Publisher<Octets>,
    tick: Publisher<Clock>,
    acks: Receiver<u32>,
}

pub async fn serve(peer: &mut Peer) -> Answer<Value> {
    const OCTETS: &str = "std_msgs/UInt8MultiArray";
    let pong = publisher::<Octets>(peer, "/rust/pong", OCTETS, 10)?;
    let ping = peer.listen::<Octets>("/rust/ping", OCTETS, reliable(10))?;
    smol::spawn(async move {
        let mut pings = Box::pin(ping.async_stream());
        while let Some(Ok((message, _))) = pings.next().await {
            pong.async_publish(message).await.ok();
        }
    })
    .detach();
    let (told, acks) = smol::channel::unbounded();
    let ack = peer.listen::<Number>("/rust/ack", "std_msgs/UInt32", reliable(10))?;
    smol::spawn(async move {
        let mut numbers = Box::pin(ack.async_stream());
        while let Some(Ok((number, _))) = numbers.next().await {
            told.send(number.data).await.ok();
        }
    })
    .detach();
    let services = quality_of_services();
    let kind = ServiceTypeName::new("std_srvs", "Trigger");
    let trigger =
        peer.node.create_server::<Nothing, Triggered>(ServiceMapping::Enhanced, &Name::parse("/rust/trigger")?, &kind, services.clone(), services)?;
    smol::spawn(async move {
        while let Ok((id, _)) = trigger.async_receive_request().await {
            trigger.async_send_response(id, Triggered { success: true, message: String::new() }).await.ok();
        }
    })
    .detach();
    let bench = Bench {
        data: publisher(peer, "/rust/data", OCTETS, 1000)?,
        tick: publisher(peer, "/rust/clock", "rosgraph_msgs/Clock", 10)?,
        acks,
    };
    let go = peer.listen::<Text>("/rust/go", "std_msgs/String", reliable(10))?;
    let mut orders = Box::pin(go.async_stream());
    while let Some(order) = orders.next().await {
        bench.obey(&order?.0.data).await?;
    }
    Ok(Value::Null)
}

impl Bench {
    /// "stream SIZE COUNT WINDOW" or "clock COUNT".
    async fn obey(&self, order: &str) -> Answer<()> {
        let mut words = order.split_whitespace();
        let what = words.next().unwrap_or_default();
        let numbers = words.map(str::parse).collect::<Result<Vec<usize>, _>>()?;
        match (what, numbers[..].as_ref()) {
            ("stream", &[size, count, window]) => self.stream(size, count, window).await,
            ("clock", &[count]) => self.clock(count).await,
            _ => Err(format!("no order {order:?}").into()),
        }
    }

    /// Publishes, never more than window ahead of what the other side says it has.
    async fn stream(&self, size: usize, count: usize, window: usize) -> Answer<()> {
        while self.acks.try_recv().is_ok() {} // of the last stream
        let message = Octets { layout: Layout { dim: vec![], data_offset: 0 }, data: vec![0; size] };
        let mut acked = 0;
        for sent in 0..count {
            while sent - acked >= window {
                acked = self.acks.recv().await? as usize;
            }
            self.data.async_publish(message.clone()).await?;
        }
        Ok(())
    }

    async fn clock(&self, count: usize) -> Answer<()> {
        let begin = Instant::now();
        for k in 1..=count {
            smol::Timer::at(begin + Duration::from_millis(k as u64)).await;
            self.tick.async_publish(Clock { clock: ros2_client::builtin_interfaces::Time::ZERO }).await?;
        }
        Ok(())
    }
}
