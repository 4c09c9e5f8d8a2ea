//! The program as it runs in production.

#[tokio::test]
async fn the_program_becomes_ready_and_drains() {
    let program = env!("CARGO_BIN_EXE_gateway");
    testkit::program::assert_becomes_ready_and_drains(program, &[]).await;
}
