/** The recorded facts about the destruction of an organization's key. */
export interface KeyEnd {
  stage: string;
  environmentId: string;
  organizationId: string;
  keyId: string;
  keyCreatedAt?: string | undefined;
  destroyedAt: string;
  kmsKeyId?: string | undefined;
  kmsDeletionAt?: string | undefined;
}

/**
 * Time in ms after the destruction of a key until no instance uses its bytes: caches expire after 60 seconds, the longest
 * call takes 29, and clocks differ a little.
 */
export const SETTLING_MS = 120_000;

/**
 * The statement of a receipt, as the text that is signed. It claims only what was done, and nothing about copies that
 * the service never had: values that were read earlier, or keys that a caller kept.
 */
export function formatStatement(end: KeyEnd, now: { checkedAt: string }): string {
  const { kmsKeyId, kmsDeletionAt } = end;
  return JSON.stringify(
    {
      kind: 'gatehouse.key-destruction',
      version: 1,
      stage: end.stage,
      environment_id: end.environmentId,
      organization_id: end.organizationId,
      key_id: end.keyId,
      key_created_at: end.keyCreatedAt ?? null,
      destroyed_at: end.destroyedAt,
      checked_at: now.checkedAt,
      ...(kmsKeyId === undefined
        ? {}
        : { kms_key: { id: kmsKeyId, state: 'pending_deletion', deletion_at: kmsDeletionAt ?? null } }),
      scope: [
        'values of vault objects whose context named this organization',
        'data keys issued or rekeyed by the vault for contexts that named this organization',
      ],
      claims: [
        'The bytes of this key were removed from the only table that held them at destroyed_at. That table has no point-in-time recovery, no backup and no stream.',
        'At checked_at the table held no bytes of this key, and the time for which a running instance may use a copy in its memory was over. Such a copy is overwritten when the instance next loads a key, or goes with the instance.',
        'What is in scope was encrypted so that it cannot be decrypted without this key, from whichever copy of the main table.',
      ],
    },
    null,
    2,
  );
}
