//! The SDK's timer, whose waits a fault can end: an attempt that is to time out does so at once.

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
        Sleep::new(Wait(Box::pin(tokio::time::sleep(duration))))
    }
}

struct Wait(Pin<Box<tokio::time::Sleep>>);

impl Future for Wait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if IS_OVER.take() {
            return Poll::Ready(());
        }
        self.0.as_mut().poll(cx)
    }
}

/// Never ends, and ends the wait that is polled next on this thread: that of the attempt, which polls its timer
/// right after what it times.
pub(super) async fn time_out<T>() -> T {
    std::future::poll_fn(|_| {
        IS_OVER.set(true);
        Poll::Pending
    })
    .await
}
