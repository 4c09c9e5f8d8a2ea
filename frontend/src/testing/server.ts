import { http, HttpResponse } from 'msw/http';
import { setupServer } from 'msw/node';
import { member } from './wireSamples';

/** The mocked network; each test declares the calls it expects. The member, whose mode every screen asks for, is there already. */
export const server = setupServer(http.get('*/api/v1/member/:id', () => HttpResponse.json(member)));
