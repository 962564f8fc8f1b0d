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

/// An endpoint that is made just while another participant's are told of is at times never said to be matched by RustDDS 0.15.1 and
/// ros2-client 0.12.1 on a busy machine, although both sides have acknowledged all of discovery. So what is not matched within this time is
/// made anew.
const TOLD: Duration = Duration::from_secs(3);
const ATTEMPTS: u32 = 10;

async fn in_time<T>(limit: Duration, wanted: impl Future<Output = T>) -> Option<T> {
    let late = async {
        smol::Timer::after(limit).await;
        None
    };
    async { Some(wanted.await) }.or(late).await
}

/// What `what` gives, or a failure that names it.
pub async fn within<T>(what: &str, wanted: impl Future<Output = T>) -> Answer<T> {
    in_time(PATIENCE, wanted).await.ok_or_else(|| format!("waited {PATIENCE:?} for {what}").into())
}

/// What `make` makes, once `ready` says that it is matched.
pub async fn matched<T>(node: &mut Node, what: &str, make: impl Fn(&mut Node) -> Answer<T>, ready: impl AsyncFn(&T, &Node)) -> Answer<T> {
    for _ in 0..ATTEMPTS {
        let made = make(node)?;
        if in_time(TOLD, ready(&made, node)).await.is_some() {
            return Ok(made);
        }
    }
    Err(format!("{ATTEMPTS} times waited {TOLD:?} for {what}").into())
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
        let make = |node: &mut Node| Ok(node.create_publisher(&name, Some(quality.clone()))?);
        let ready = async |publisher: &Publisher<M>, node: &Node| publisher.wait_for_subscription(node).await;
        matched(&mut self.node, &format!("a subscriber of {topic}"), make, ready).await
    }

    /// A client of a service that is there.
    pub async fn client<Q, S>(&mut self, name: &str, kind: &str) -> Answer<Client<Q, S>>
    where
        Q: Message + Clone + 'static,
        S: Message + 'static,
    {
        let (package, kind) = kind.split_once('/').ok_or("a type is package/Name")?;
        let make = |node: &mut Node| {
            Ok(node.create_client(
                ServiceMapping::Enhanced, // that of rmw_fastrtps
                &Name::parse(name)?,
                &ServiceTypeName::new(package, kind),
                quality_of_services(),
                quality_of_services(),
            )?)
        };
        matched(&mut self.node, &format!("service {name}"), make, async |client: &Client<Q, S>, node| client.wait_for_service(node).await).await
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

pub fn kind_of(name: &str) -> MessageTypeName {
    let (package, kind) = name.split_once('/').unwrap_or(("", name));
    MessageTypeName::new(package, kind)
}
