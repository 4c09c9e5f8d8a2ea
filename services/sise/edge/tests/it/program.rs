//! The program as it runs in production.

#[tokio::test]
async fn the_program_becomes_ready_and_drains() {
    let stream = testkit::TempStream::create().await;
    let program = env!("CARGO_BIN_EXE_edge");
    let environment = [("TICK_STREAM", stream.spec.name.as_str())];
    testkit::program::assert_becomes_ready_and_drains(program, &environment).await;
}
