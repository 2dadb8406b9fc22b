/**
 * `npm run keys -- create|list|revoke|rotate-signing`: API keys and signing keys of an environment, locally or on a
 * deployed stage.
 */
import { parseArgs } from 'node:util';

import { newEnvironmentKey } from '../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../functions/kernel/authentication/caller.ts';
import { applyWork } from '../functions/kernel/storage/background.ts';
import { listCredentials } from '../functions/kernel/storage/environment.ts';
import { AREA_NAMES } from '../functions/kernel/area-names.ts';
import { stageRevocation } from '../functions/tenancy/modules/environments/key/stage.ts';
import { type KeySet, keySets, findSigningKeys } from '../functions/kernel/tokens/key-set.ts';
import { rotateSigningKey, RotationTooEarly } from '../functions/kernel/tokens/keys.ts';
import { aimAt, CommandError, environmentNamed, runCommand, TARGET_USAGE, targetOptions } from './target.ts';

const USAGE = `usage: npm run keys -- create [--name TEXT] [--read-only] [--areas a,b]
       npm run keys -- list
       npm run keys -- revoke KEY_ID
       npm run keys -- rotate-signing [--compromised] [--set sessions|connect]
--read-only keys cannot read mailed codes, links and tokens, signing secrets of webhooks or values of the vault, since these
allow writes. --areas limits a key to some areas; within them it has full access, including secrets.
rotate-signing rotates both key sets, or only the one named: "sessions" signs access tokens of sessions and agents, "connect" the
tokens that third parties, widgets and browsers receive.
Each requires --environment ID, except on a local service. ${TARGET_USAGE}`;

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...targetOptions,
      environment: { type: 'string' },
      name: { type: 'string', default: 'API key' },
      'read-only': { type: 'boolean', default: false },
      areas: { type: 'string' },
      compromised: { type: 'boolean', default: false },
      set: { type: 'string' },
    },
  });
  const [verb, keyId] = positionals;
  const verbs = new Map<string | undefined, (environmentId: string) => Promise<void>>([
    ['create', (id) => create(id, values.name, values['read-only'], values.areas)],
    ['list', list],
    ['rotate-signing', (id) => rotateSigning(id, values.compromised, values.set)],
  ]);
  if (keyId !== undefined) verbs.set('revoke', (id) => revoke(id, keyId));
  const run = verbs.get(verb);
  if (run === undefined) throw new CommandError(USAGE);
  const local = await aimAt(values);
  await run(await environmentNamed(values.environment ?? local));
});

async function create(environmentId: string, name: string, readOnly: boolean, areaNames?: string): Promise<void> {
  const named = areaNames?.split(',').map((area) => area.trim());
  const unknown = named?.filter((area) => !AREA_NAMES.some((known) => known === area)) ?? [];
  if (unknown.length > 0) {
    throw new CommandError(`No such area: ${unknown.join(', ')}. There are ${AREA_NAMES.join(', ')}.`);
  }
  const limits = { ...(readOnly ? { readOnly } : {}), ...(named === undefined ? {} : { areas: named }) };
  const { value, record, writes } = newEnvironmentKey(environmentId, name, limits);
  await applyWork(environmentId, systemActor, async (unit) => unit.stage(writes));
  console.log(`${value}\n\nThis is the only time it is shown. Id: ${record.keyId}`);
}

async function list(environmentId: string): Promise<void> {
  const keys = await listCredentials(environmentId);
  console.table(
    keys.map(({ keyId, name, lastFour, createdAt, lastUsedOn, endsAt, revokedAt, readOnly, areas: limited }) => ({
      id: keyId,
      name,
      key: `sk_...${lastFour}`,
      created: createdAt,
      access: `${readOnly === true ? 'read' : 'full'}${limited === undefined ? '' : ` (${limited.join(', ')})`}`,
      'last used': lastUsedOn ?? '',
      expires: endsAt ?? '',
      revoked: revokedAt ?? '',
    })),
  );
}

async function revoke(environmentId: string, keyId: string): Promise<void> {
  const key = await applyWork(environmentId, systemActor, async (unit) => stageRevocation(unit, environmentId, keyId));
  if (key === undefined) throw new CommandError(`There is no key ${keyId} in this environment.`);
  console.log(`${keyId} is revoked. Functions that remember it stop taking it within seconds.`);
}

async function rotateSigning(environmentId: string, isCompromised: boolean, named?: string): Promise<void> {
  const sets = keySets.filter((set) => named === undefined || set === named);
  if (sets.length === 0) throw new CommandError(`There is no key set ${named}. There are ${keySets.join(', ')}.`);
  for (const set of sets) {
    // A key set that has never signed anything has nothing to rotate, so it is skipped unless the command names it.
    if (named === undefined && (await findSigningKeys(environmentId, set)) === undefined) continue;
    await rotateSet(environmentId, set, isCompromised);
  }
}

async function rotateSet(environmentId: string, set: KeySet, isCompromised: boolean): Promise<void> {
  try {
    const kid = await rotateSigningKey(environmentId, set, isCompromised);
    console.log(`${kid} signs the tokens of the set "${set}" now; functions follow within a minute.`);
  } catch (error) {
    if (!(error instanceof RotationTooEarly)) throw error;
    throw new CommandError(
      `${error.message}: verifiers may not have fetched it yet. If the key in use is in wrong hands, add --compromised: ` +
        'it is withdrawn at once, and some sign-ins may fail until verifiers fetch the keys again.',
    );
  }
  console.log(
    isCompromised
      ? 'The former key is withdrawn: its tokens end as soon as verifiers fetch the keys again.'
      : 'The former key stays published until its last token ended.',
  );
}
