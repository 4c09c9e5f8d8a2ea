import { setupServer } from 'msw/node';

/** The mocked network; each test declares the calls it expects. */
export const server = setupServer();
