import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Comment, Post } from './types';

/** Returned by an edit to remove the row from its lists. */
export const DROPPED = Symbol('dropped');
type Edit<Row> = (row: Row) => Row | typeof DROPPED;

/** Edits a post wherever it was loaded: lists, its detail, profiles. */
export function editPosts(queryClient: QueryClient, isMeant: (post: Post) => boolean, edit: Edit<Post>): void {
  editRows(queryClient, (row) => 'writerId' in row && isMeant(row as unknown as Post), edit as unknown as Edit<Row>);
}

/** Edits a comment or reply wherever it was loaded. */
export function editComments(queryClient: QueryClient, isMeant: (comment: Comment) => boolean, edit: Edit<Comment>): void {
  editRows(queryClient, (row) => 'boardSid' in row && isMeant(row as unknown as Comment), edit as unknown as Edit<Row>);
}

/** Stops replies on their way that an edit would be overwritten by. First loads go on: there is nothing to go back to. */
export function cancelReloads(queryClient: QueryClient): Promise<void> {
  return queryClient.cancelQueries({ queryKey: queryKeys.community, predicate: ({ state }) => state.data !== undefined });
}

type Row = Record<string, unknown>;

function editRows(queryClient: QueryClient, isMeant: (row: Row) => boolean, edit: Edit<Row>): void {
  queryClient.setQueriesData({ queryKey: queryKeys.community }, (data: unknown) => {
    const edited = editedIn(data, isMeant, edit);
    return edited === DROPPED ? data : edited;
  });
}

/** The value with its rows edited; the same object where nothing changed, so that nothing else renders. */
function editedIn(value: unknown, isMeant: (row: Row) => boolean, edit: Edit<Row>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const edited = value.map((part: unknown) => editedIn(part, isMeant, edit));
    return edited.every((part, index) => part === value[index]) ? value : edited.filter((part) => part !== DROPPED);
  }
  const row = isMeant(value as Row) ? edit(value as Row) : (value as Row);
  if (row === DROPPED) return DROPPED;
  const parts = Object.entries(row).map(([name, part]) => [name, editedIn(part, isMeant, edit)] as const);
  return parts.every(([name, part]) => part === row[name]) ? row : Object.fromEntries(parts);
}
