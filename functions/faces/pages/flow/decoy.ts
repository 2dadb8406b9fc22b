import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { randomSecret } from '../../../kernel/keys/hash.ts';
import { envelopes } from '../../../kernel/keys/shared.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { hostedFlows } from './entity.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

/** Time in seconds after which the rows expire. */
const SECONDS = 60;

/**
 * Writes the same amount as a mail to a user with an account: a reset or code, its event and its message, all
 * encrypted. Otherwise the response time would reveal whether there is an account.
 */
export async function stageDecoy(unit: Pick<Unit, 'stage'>, environmentId: string, rows: number): Promise<void> {
  const ids = Array.from({ length: rows }, () => `decoy_${randomSecret(16)}`);
  const writes = await awaitAll(
    ids.map(async (id) => {
      const sealed = await envelopes().seal({ environmentId, purpose: keyPurpose('message') }, id, id);
      return hostedFlows.create({ environmentId, id, browserHash: '', sealed, expiresAt: clock.seconds() + SECONDS })
        .write;
    }),
  );
  unit.stage(writes);
}
