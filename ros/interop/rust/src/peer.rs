//! A node, and waiting for what it asks for: never for time to pass.

use std::{future::Future, time::Duration};

use futures::StreamExt;
use ros2_client::{
    Client, Context, ContextOptions, Message, MessageTypeName, Name, Node, NodeName, NodeOptions, Publisher, QosProfile, ServiceMapping,
    ServiceTypeName, Subscription,
    qos::{Durability, History, WhenFull},
};
use serde::{Serialize, de::DeserializeOwned};
use smol::future::FutureExt;

pub type Failure = Box<dyn std::error::Error>;
pub type Answer<T> = Result<T, Failure>;

const PATIENCE: Duration = Duration::from_secs(30); // generous: only a failure takes that long

/// What `what` gives, or a failure that names it.
pub async fn within<T>(what: &str, wanted: impl Future<Output = T>) -> Answer<T> {
    let late = async {
        smol::Timer::after(PATIENCE).await;
        None
    };
    async { Some(wanted.await) }.or(late).await.ok_or_else(|| format!("waited {PATIENCE:?} for {what}").into())
}

/// "best_effort", "reliable", or "latched": reliable and transient local.
pub fn quality(name: &str) -> Answer<QosProfile> {
    let deep = QosProfile::subscription_default().history(History::KeepLast { depth: 2000 });
    Ok(match name {
        "best_effort" => deep,
        "reliable" => deep.reliability_reliable(WhenFull::DEFAULT),
        "latched" => deep.reliability_reliable(WhenFull::DEFAULT).durability(Durability::TransientLocal),
        _ => return Err(format!("no quality of service {name}").into()),
    })
}

/// One participant with one node.
pub struct Peer {
    pub context: Context,
    pub node: Node,
}

impl Peer {
    pub fn new(domain: u16, name: &str) -> Answer<Peer> {
        let context = Context::with_options(ContextOptions::new().domain_id(domain))?;
        let mut node = context.new_node(NodeName::new("/", name)?, NodeOptions::new())?;
        smol::spawn(node.spinner()?.spin()).detach();
        Ok(Peer { context, node })
    }

    /// Listens to a topic whose type is named "package/Name".
    pub fn listen<M: DeserializeOwned + 'static>(&mut self, topic: &str, kind: &str, quality: QosProfile) -> Answer<Subscription<M>> {
        let topic = self.node.create_topic(&Name::parse(topic)?, kind_of(kind), &quality)?;
        Ok(self.node.create_subscription(&topic, Some(quality))?)
    }

    /// The first messages of a topic.
    pub async fn collect<M: DeserializeOwned + 'static>(&mut self, topic: &str, kind: &str, quality: QosProfile, count: usize) -> Answer<Vec<M>> {
        let subscription = self.listen::<M>(topic, kind, quality)?;
        let mut stream = Box::pin(subscription.async_stream());
        let mut all = Vec::new();
        while all.len() < count {
            let next = within(&format!("message {} of {topic}", all.len() + 1), stream.next()).await?;
            all.push(next.ok_or("the stream of messages ended")??.0);
        }
        Ok(all)
    }

    /// A publisher that somebody listens to.
    pub async fn publisher<M: Serialize>(&mut self, topic: &str, kind: &str) -> Answer<Publisher<M>> {
        let quality = quality("reliable")?;
        let name = self.node.create_topic(&Name::parse(topic)?, kind_of(kind), &quality)?;
        let publisher = self.node.create_publisher(&name, Some(quality))?;
        within(&format!("a subscriber of {topic}"), publisher.wait_for_subscription(&self.node)).await?;
        Ok(publisher)
    }

    /// A client of a service that is there.
    pub async fn client<Q, S>(&mut self, name: &str, kind: &str) -> Answer<Client<Q, S>>
    where
        Q: Message + Clone + 'static,
        S: Message + 'static,
    {
        let (package, kind) = kind.split_once('/').ok_or("a type is package/Name")?;
        let client = self.node.create_client(
            ServiceMapping::Enhanced, // that of rmw_fastrtps
            &Name::parse(name)?,
            &ServiceTypeName::new(package, kind),
            quality_of_services(),
            quality_of_services(),
        )?;
        within(&format!("service {name}"), client.wait_for_service(&self.node)).await?;
        Ok(client)
    }

    /// Calls a service once.
    pub async fn call<Q, S>(&mut self, name: &str, kind: &str, request: Q) -> Answer<S>
    where
        Q: Message + Clone + 'static,
        S: Message + 'static,
    {
        ask(&self.client(name, kind).await?, name, request).await
    }
}

/// Calls a service by a client that stays.
pub async fn ask<Q: Message + 'static, S: Message + 'static>(client: &Client<Q, S>, name: &str, request: Q) -> Answer<S> {
    Ok(within(&format!("an answer of {name}"), client.async_call_service(request)).await??)
}

/// rmw_qos_profile_services_default: reliable, volatile, the last ten.
pub fn quality_of_services() -> QosProfile {
    QosProfile::publisher_default().history(History::KeepLast { depth: 10 })
}

fn kind_of(name: &str) -> MessageTypeName {
    let (package, kind) = name.split_once('/').unwrap_or(("", name));
    MessageTypeName::new(package, kind)
}
