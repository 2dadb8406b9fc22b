import { directories, type DirectoryToken } from './entity.ts';

/** The state of a directory, without its tokens. */
export interface DirectoryState {
  id: string;
  name: string;
  organizationId: string;
  state: 'validating' | 'active' | 'inactive';
  createdAt: string;
  /** The time when its last token expires (ISO 8601); undefined if it has one without an end, or none. */
  tokensEndAt: string | undefined;
}

/** The newest directories of an environment, by one Query (eventually consistent). */
export async function listDirectoryStates(environmentId: string, limit: number): Promise<DirectoryState[]> {
  const found = await directories.list('byCreation', { environmentId }).take(limit, 'desc');
  return found.map(({ id, name, organizationId, state, createdAt, tokens }) => ({
    id,
    name,
    organizationId,
    state,
    createdAt,
    tokensEndAt: findLastEnd(tokens as readonly DirectoryToken[]),
  }));
}

function findLastEnd(tokens: readonly DirectoryToken[]): string | undefined {
  const ends = tokens.map(({ endsAt }) => endsAt);
  return ends.includes(undefined)
    ? undefined
    : ends
        .flatMap((end) => end ?? [])
        .toSorted()
        .at(-1);
}
