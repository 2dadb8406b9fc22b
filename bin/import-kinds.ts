import { authorizationKinds } from '../functions/access/authorization/import/kinds.ts';
import { flagKinds } from '../functions/access/feature-flags/import/kinds.ts';
import { groupKinds } from '../functions/tenancy/groups/import/kinds.ts';
import type { ImportKind } from '../functions/kernel/import.ts';
import { passkeyKinds } from '../functions/proofs/passkeys/import/kinds.ts';
import { roleKinds } from '../functions/tenancy/roles/import/kinds.ts';

/** The kinds of lines other than users, organizations and memberships, by `object`. */
export const importKinds: ReadonlyMap<string, ImportKind> = new Map(
  [...roleKinds, ...groupKinds, ...authorizationKinds, ...flagKinds, ...passkeyKinds].map((kind) => [
    kind.object,
    kind,
  ]),
);
