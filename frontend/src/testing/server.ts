import { setupServer } from 'msw/node';

/** The network of the tests: each test says which calls it expects. */
export const server = setupServer();
