//! The instruments the product ships with: reading, checking and storing them.
