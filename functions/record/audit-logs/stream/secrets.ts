import { envelopes } from '../../../kernel/keys/shared.ts';
import type { StreamRecord } from './entity.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

const PURPOSE = keyPurpose('audit-log-stream');

/** Encrypts a stream's secrets; only its own record can decrypt them. */
export const sealSecrets = (
  environmentId: string,
  organizationId: string,
  id: string,
  secrets: Record<string, string>,
): Promise<Uint8Array> =>
  envelopes().seal({ environmentId, organizationId, purpose: PURPOSE }, id, JSON.stringify(secrets));

/** Decrypts a stream's secrets, by their names. */
export async function openSecrets({ environmentId, organizationId, id, secrets }: StreamRecord) {
  const scope = { environmentId, organizationId, purpose: PURPOSE };
  return JSON.parse(await envelopes().openText(scope, id, secrets as Uint8Array)) as Record<string, string | undefined>;
}
