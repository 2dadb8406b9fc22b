import type { Connection } from '../support/connection.ts';
import type { ListedEvent } from './events.ts';
import { must, sideBySide } from './scenario.ts';

/** The acknowledged state of one organization, whose writer makes one call at a time. */
export interface Entry {
  /** The writer's own name for it, which is its external id; its domain is `<name>.example`. */
  name: string;
  /** The id, known after the creation was acknowledged. */
  id?: string;
  /** The last revision that was acknowledged; 0 for the creation. */
  revision: number;
  isDeleted: boolean;
  /** A call with an unknown result: the service ended before its response. */
  pending?: 'create' | 'update' | 'delete' | undefined;
}

interface Organization {
  id: string;
  external_id: string | null;
  domains: { domain: string }[];
  metadata: Record<string, string>;
}

const domainOf = (name: string): string => `${name}.example`;

const readBody = (name: string) => ({
  name: `Organization ${name}`,
  external_id: name,
  domain_data: [{ domain: domainOf(name), state: 'verified' }],
});

/** All acknowledged calls, which are compared with the state of the service. */
export class Ledger {
  readonly entries: Entry[] = [];
  /** Number of acknowledged calls. */
  acknowledged = 0;
  /** Number of calls without a response that were executed, or not executed. */
  readonly withoutResponse = { happened: 0, not: 0 };

  /** Creates one organization, changes it twice and removes every third. It stops at the first call without a response. */
  async write(connection: Connection, name: string): Promise<void> {
    const entry: Entry = { name, revision: 0, isDeleted: false, pending: 'create' };
    this.entries.push(entry);
    const created = await this.#call<Organization>(connection, entry, 'POST', '/organizations', readBody(name));
    entry.id = created.id;
    entry.pending = undefined;
    const path = `/organizations/${created.id}`;
    for (const revision of [1, 2]) {
      entry.pending = 'update';
      await this.#call(connection, entry, 'PUT', path, { metadata: { revision: String(revision) } });
      entry.revision = revision;
      entry.pending = undefined;
    }
    if (this.entries.length % 3 !== 0) return;
    entry.pending = 'delete';
    await this.#call(connection, entry, 'DELETE', path);
    entry.isDeleted = true;
    entry.pending = undefined;
  }

  async #call<T>(connection: Connection, { name }: Entry, method: string, path: string, body?: unknown): Promise<T> {
    const response = await connection.send<T>({ method, path, body });
    // A call to an engine that is ending is rejected with 503, so the caller knows that the result is unknown.
    if (response.status === 503) throw new Error('unavailable');
    must(
      response.status < 300,
      `${method} ${path} (${name}) responded ${response.status}: ${JSON.stringify(response.body)}`,
    );
    this.acknowledged += 1;
    return response.body;
  }

  /** Compares entries with the service: records, and the rows of their unique values. */
  async check(connection: Connection, entries: readonly Entry[] = this.entries): Promise<void> {
    await sideBySide(entries, 8, (entry) => this.#checkEntry(connection, entry));
  }

  async #checkEntry(connection: Connection, entry: Entry): Promise<void> {
    const { name } = entry;
    const path = `/organizations/external_id/${name}`;
    const { status, body } = await connection.send<Organization>({ method: 'GET', path });
    must(status === 200 || status === 404, `GET ${path} responded ${status}`);
    const found = status === 200 ? body : undefined;
    this.#settle(entry, found);
    if (entry.isDeleted || entry.id === undefined) {
      must(found === undefined, `${name} is gone, or was never made, and is found by its external id`);
      return;
    }
    must(found?.id === entry.id, `${name} was acknowledged as ${entry.id} and is ${found?.id ?? 'lost'}`);
    must(
      found.domains.some(({ domain }) => domain === domainOf(name)),
      `${name} lost its domain`,
    );
    const revision = Number(found.metadata.revision ?? 0);
    must(revision === entry.revision, `${name} is at revision ${revision}, acknowledged was ${entry.revision}`);
    const byId = await connection.send({ method: 'GET', path: `/organizations/${entry.id}` });
    must(byId.status === 200, `${name} is found by its external id and responds ${byId.status} by its id`);
  }

  /** Checks that a call without a response was executed completely, or not at all. */
  #settle(entry: Entry, found: Organization | undefined): void {
    const { pending } = entry;
    if (pending === undefined) return;
    let happened: boolean;
    if (pending === 'create') {
      happened = found !== undefined;
      if (found !== undefined) entry.id = found.id;
    } else if (pending === 'update') {
      happened = Number(found?.metadata.revision ?? 0) === entry.revision + 1;
      if (happened) entry.revision += 1;
    } else {
      happened = found === undefined;
      entry.isDeleted = happened;
    }
    this.withoutResponse[happened ? 'happened' : 'not'] += 1;
    entry.pending = undefined;
  }

  /**
   * Checks that a value which was released by a deletion, or never claimed, can be claimed, so no partial row blocks it.
   */
  async checkFree(connection: Connection): Promise<number> {
    const free = this.entries.filter(({ id, isDeleted }) => isDeleted || id === undefined).map(({ name }) => name);
    await sideBySide(free, 8, async (name) => {
      const { status, body } = await connection.send({ method: 'POST', path: '/organizations', body: readBody(name) });
      must(status === 201, `The values of ${name} are free and taken: ${status} ${JSON.stringify(body)}`);
    });
    return free.length;
  }

  /** The events that must exist, each as `<name of the event> <organization> <revision>`. */
  expectedEvents(): Set<string> {
    return new Set(
      this.entries.flatMap(({ id, revision, isDeleted }) => {
        if (id === undefined) return [];
        const updates = Array.from({ length: revision }, (_, at) => `organization.updated ${id} ${at + 1}`);
        const removal = isDeleted ? [`organization.deleted ${id}`] : [];
        return [`organization.created ${id}`, ...updates, ...removal];
      }),
    );
  }
}

/** An event in the form of {@link Ledger.expectedEvents}. */
export function nameOfEvent({ event, data }: ListedEvent): string {
  const revision = event === 'organization.updated' ? ` ${data.metadata?.revision}` : '';
  return `${event} ${data.id}${revision}`;
}
