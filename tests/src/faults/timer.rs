//! A timer for the SDK whose sleeps a fault can end, so that an attempt times out at once.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use aws_sdk_dynamodb::config::{AsyncSleep, Sleep};

thread_local! {
    static IS_OVER: Cell<bool> = const { Cell::new(false) };
}

#[derive(Debug)]
pub(super) struct Timer;

impl AsyncSleep for Timer {
    fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(InterruptibleSleep(Box::pin(tokio::time::sleep(duration))))
    }
}

struct InterruptibleSleep(Pin<Box<tokio::time::Sleep>>);

impl Future for InterruptibleSleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if IS_OVER.take() {
            return Poll::Ready(());
        }
        self.0.as_mut().poll(cx)
    }
}

/// Waits forever, and ends the sleep that is polled next on this thread. That is the timeout of the attempt,
/// because an attempt polls its timeout right after its request.
pub(super) async fn time_out<T>() -> T {
    std::future::poll_fn(|_| {
        IS_OVER.set(true);
        Poll::Pending
    })
    .await
}
