import { authorizationKinds } from '../functions/authorization/import/kinds.ts';
import { flagKinds } from '../functions/feature-flags/import/kinds.ts';
import { groupKinds } from '../functions/groups/import/kinds.ts';
import type { ImportKind } from '../functions/kernel/import.ts';
import { passkeyKinds } from '../functions/passkeys/import/kinds.ts';
import { roleKinds } from '../functions/roles/import/kinds.ts';

/** The kinds of lines other than users, organizations and memberships, by `object`. */
export const importKinds: ReadonlyMap<string, ImportKind> = new Map(
  [...roleKinds, ...groupKinds, ...authorizationKinds, ...flagKinds, ...passkeyKinds].map((kind) => [
    kind.object,
    kind,
  ]),
);
