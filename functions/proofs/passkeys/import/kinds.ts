import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { type ImportKind, importKind, lineFailure } from '../../../kernel/import.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findUser, getUserByEmail } from '../../../tenancy/modules/users/public.ts';
import { findOwnerOfCredential } from '../passkey/entity.ts';
import { readImported } from '../passkey/imported.ts';
import { ImportPasskey } from '../passkey/schema.ts';
import { stagePasskey } from '../passkey/stage.ts';

/** A passkey of a user, who is named by id or address and precedes the line. The domain is required, since the file may come from another. */
const PasskeyLine = ImportPasskey.extend({
  object: z.literal('passkey'),
  user_id: z.string().min(1).max(128).optional(),
  user_email: z.string().min(3).max(320).optional(),
  rp_id: z.string().min(1).max(253),
});

/** Finds the user of a line. @throws Failure with the reason if there is none */
async function findHolder(environmentId: string, { user_id: id, user_email: email }: z.output<typeof PasskeyLine>) {
  if (id === undefined && email === undefined) throw lineFailure('user_id: name the user by user_id or user_email');
  const user = id === undefined ? await getUserByEmail(environmentId, email ?? '') : await findUser(environmentId, id);
  if (user === undefined) throw lineFailure(`user_id: there is no user ${id ?? email}; import it before its passkeys`);
  return user;
}

async function takePasskey(unit: Unit, environmentId: string, line: z.output<typeof PasskeyLine>): Promise<boolean> {
  const [user, owner] = await awaitAll([
    findHolder(environmentId, line),
    findOwnerOfCredential(environmentId, line.credential_id),
  ]);
  const taken = lineFailure('credential_id: another user has this credential');
  if (owner !== undefined) {
    if (owner.userId === user.id) return false;
    throw taken;
  }
  const { authenticators } = await import('../ceremony/apart.ts');
  if (!authenticators.isPublicKey(line.public_key))
    throw lineFailure('public_key: is not a COSE key for EdDSA, ES256 or RS256 (RFC 9053, RFC 8812)');
  const record = await stagePasskey(unit, user, readImported(line, line.rp_id), { otherwise: taken, isSilent: true });
  if (record === undefined) throw lineFailure('user_id: a user has at most twenty passkeys');
  return true;
}

/** The lines of passkeys. */
export const passkeyKinds: readonly ImportKind[] = [importKind('passkey', PasskeyLine, takePasskey)];
