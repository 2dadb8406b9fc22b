import { Skipped } from '../../clients/cache.ts';
import { print, quantile } from '../scenario.ts';
import { startOpenFga, type Tuple } from './server.ts';

const READS = 100;

const direct = { this: {} };
const fromParent = (relation: string) => ({
  tupleToUserset: { tupleset: { relation: 'parent' }, computedUserset: { relation } },
});
const union = (...child: object[]) => ({ union: { child } });

/** The part of the measured world's model that decides about a project below a workspace, in the form of the export. */
const MODEL = {
  schema_version: '1.1',
  type_definitions: [
    { type: 'organization_membership' },
    {
      type: 'workspace',
      relations: { role_keeper: direct, can_read: { computedUserset: { relation: 'role_keeper' } } },
      metadata: { relations: { role_keeper: { directly_related_user_types: [{ type: 'organization_membership' }] } } },
    },
    {
      type: 'project',
      relations: {
        parent: direct,
        role_reader: direct,
        can_read: union({ computedUserset: { relation: 'role_reader' } }, fromParent('can_read')),
      },
      metadata: {
        relations: {
          parent: { directly_related_user_types: [{ type: 'workspace' }] },
          role_reader: { directly_related_user_types: [{ type: 'organization_membership' }] },
        },
      },
    },
  ],
};

async function measure(name: string, ask: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let at = 0; at < READS; at += 1) {
    const startedAt = performance.now();
    await ask();
    times.push(performance.now() - startedAt);
  }
  print(`OpenFGA, ${name}: median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`);
}

/**
 * Prints the durations of three queries of OpenFGA, and how many results are missing in its two lists, with one workspace of
 * so many projects and as many keepers. Its store is in memory, so the world is smaller than the measured one.
 */
export async function printOpenFga(size: number): Promise<void> {
  try {
    const openFga = await startOpenFga();
    try {
      const numbers = Array.from({ length: size }, (_, at) => at);
      const tuples: Tuple[] = [
        ...numbers.map((at) => ({ user: 'workspace:big', relation: 'parent', object: `project:${at}` })),
        ...numbers.map((at) => ({
          user: `organization_membership:${at}`,
          relation: 'role_keeper',
          object: 'workspace:big',
        })),
      ];
      const store = await openFga.load(MODEL, tuples);
      const count = size.toLocaleString('en');
      const [user, object] = [`organization_membership:${Math.floor(size / 2)}`, `project:${Math.floor(size / 2)}`];
      await measure(`Check among ${count}`, () => openFga.check(store, { user, relation: 'can_read', object }));
      const objects = await openFga.listObjects(store, { user, relation: 'can_read', type: 'project' });
      print(`OpenFGA, ListObjects: ${objects.length.toLocaleString('en')} of ${count}, without a cursor`);
      await measure('ListObjects', () => openFga.listObjects(store, { user, relation: 'can_read', type: 'project' }));
      const asked = { relation: 'can_read', object, type: 'organization_membership' };
      const users = await openFga.listUsers(store, asked);
      print(`OpenFGA, ListUsers: ${users.length.toLocaleString('en')} of ${count}, without a cursor`);
      await measure('ListUsers', () => openFga.listUsers(store, asked));
    } finally {
      await openFga.stop();
    }
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    print(`OpenFGA is skipped: ${error.message}`);
  }
}
