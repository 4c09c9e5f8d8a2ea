import { http, HttpResponse } from 'msw/http';
import { setupServer } from 'msw/node';
import { member } from './wireSamples';

/**
 * The mocked network; each test declares the calls it expects. The member, whose mode every screen asks for, is there already,
 * and so are an empty inbox and a community without posts, which the home and every detail ask for.
 */
export const server = setupServer(
  http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
  http.get('*/api/v1/notification/unread/:sid', () => HttpResponse.json({ unread: 0, byType: [] })),
  http.get('*/api/v1/community/top-3', () => HttpResponse.json({ posts: [] })),
  http.get('*/api/v1/community/list', () => HttpResponse.json({ posts: [], cursor: null })),
);
