//! How much of a core the calling thread gets beside others. On failure it keeps what it has.

use thread_priority::{
    NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id,
};

/// Beside a normal thread one gets a tenth of a core.
const LOW_NICENESS: i32 = 10;

/// Runs on a core only while nothing else wants it (`SCHED_IDLE`). A thread that wakes up preempts an
/// idle thread at once, but not one that merely has a low priority: on Linux it may have to wait for the
/// next tick (4 ms at 250 Hz). Beside a busy thread an idle one hardly proceeds.
pub fn become_idle() {
    let _result = set_thread_priority_and_policy(
        thread_native_id(),
        ThreadPriority::Min,
        ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle),
    );
}

/// Proceeds on a machine that stays busy, slowly.
pub fn become_low() {
    // On Linux `None` means the calling thread alone.
    let _result = rustix::process::setpriority_process(None, LOW_NICENESS);
}
