import type { CallResponse } from '../../kernel/http/calls.ts';
import { type Described, findParams, findTarget, operations, readBody } from '../described.ts';
import type { Api } from '../samples/sample.ts';

/** A change that depends on a record, and the deletion of that record. */
export interface Dependent {
  area: string;
  change: string;
  deletion: string;
  /** True if both calls never succeed, since the deletion is only of a record on which nothing depends. */
  isExclusive?: boolean;
  /** Makes the records. */
  open: (api: Api) => Promise<Opened>;
}

/** The calls of a change and of a deletion. */
export interface Opened {
  change: () => Promise<CallResponse>;
  end: () => Promise<CallResponse>;
  /** The id of the record that is deleted. */
  id: string;
}

/** The deletions of the records that a body or a path names by ids with a prefix. */
const DELETIONS: Readonly<Record<string, string>> = {
  org: '/organizations/{id}',
  user: '/user_management/users/{id}',
  om: '/user_management/organization_memberships/{id}',
  directory: '/directories/{id}',
  conn: '/connections/{id}',
  conn_app: '/connect/applications/{id}',
  authz_resource: '/authorization/resources/{resource_id}',
  agent_blueprint: '/agents/blueprints/{agent_blueprint_id}',
};

const ID = /"([a-z_]+)_[0-9A-HJKMNP-TV-Z]{26}"/g;

const withoutNames = (path: string): string => path.replace(/^\/x(?=\/)/, '').replaceAll(/\{\w+\}/g, '{}');

/** The deletions of the records in whose paths a path is. */
const listAbove = ({ operation: { path } }: Described): Described[] =>
  operations.filter(
    ({ operation, parameters }) =>
      operation.method === 'DELETE' &&
      parameters.length > 0 &&
      withoutNames(path).startsWith(`${withoutNames(operation.path)}/`),
  );

interface Input {
  params: Record<string, string>;
  body: Record<string, unknown> | undefined;
}

async function makeInput(described: Described, api: Api): Promise<Input> {
  const made = (await findParams(described, api)) ?? {};
  // For a path without parameters, a sample has the members of a list's query.
  const params = described.parameters.length === 0 ? {} : made;
  return { params, body: await readBody(described, api) };
}

const json = (body: unknown) => (body === undefined ? {} : { body: JSON.stringify(body) });

const fillPath = (path: string, values: readonly string[]): string => {
  let at = 0;
  return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[at++] ?? ''));
};

/** The changes of the registry, each with each record that its path or its body names and that can be deleted. */
export async function listDependents(api: Api): Promise<Dependent[]> {
  const found: Dependent[] = [];
  for (const described of operations) {
    const { operation, parameters } = described;
    if (operation.method === 'GET' || operation.method === 'DELETE') continue;
    const input = await makeInput(described, api);
    const open = (path: string, find: (input: Input) => string[]) => async (): Promise<Opened> => {
      const { params, body } = await makeInput(described, api);
      const values = find({ params, body });
      return {
        change: () => api.send(operation.method, findTarget(described, params), json(body)),
        end: () => api.send('DELETE', fillPath(path, values)),
        id: values.at(-1) ?? '',
      };
    };
    const deletions = new Map<string, Dependent>();
    const add = (path: string, find: (given: Input) => string[]): void => {
      const deletion = `DELETE ${path}`;
      deletions.set(deletion, { area: described.area.name, change: described.name, deletion, open: open(path, find) });
    };
    for (const above of listAbove(described)) {
      const count = above.parameters.length;
      add(above.operation.path, ({ params }) => parameters.slice(0, count).map((name) => params[name] ?? ''));
    }
    const prefixes = new Set([...JSON.stringify(input).matchAll(ID)].map(([, prefix = '']) => prefix));
    for (const prefix of prefixes) {
      const path = DELETIONS[prefix];
      // The record that the path itself names is the one that the operation changes.
      if (path === undefined || withoutNames(path) === withoutNames(operation.path)) continue;
      add(path, (given) => [new RegExp(`"(${prefix}_[0-9A-Z]{26})"`).exec(JSON.stringify(given))?.[1] ?? '']);
    }
    found.push(...deletions.values());
  }
  return found;
}
