import { envelopes } from '../../../kernel/keys/shared.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

const scope = (environmentId: string) => ({ environmentId, purpose: keyPurpose('captcha') });
const ID = 'captcha';

/** Encrypts the secret key of a captcha, as text for the settings. @throws KeyError when KMS does not respond */
export const sealSecret = async (environmentId: string, secret: string): Promise<string> =>
  Buffer.from(await envelopes().seal(scope(environmentId), ID, secret)).toString('base64');

/** Decrypts the secret key of a captcha. @throws KeyError when KMS does not respond */
export const openSecret = (environmentId: string, sealed: string): Promise<string> =>
  envelopes().openText(scope(environmentId), ID, Buffer.from(sealed, 'base64'));
