//! desk tests
