import { clock } from '../clock.ts';
import { perSettings } from '../settings.ts';
import { createEnvelopes, type Envelopes } from './envelopes.ts';
import { type KmsClient, makeKmsClient } from './kms.ts';
import { kmsKeyWrapper } from './kms-key-wrapper.ts';

const ofThisProcess = perSettings((current): { kms: KmsClient; envelopes: Envelopes } => {
  const kms = makeKmsClient(2);
  const wrapper = kmsKeyWrapper({ kms, keyId: current.GATEHOUSE_KMS_KEY });
  return { kms, envelopes: createEnvelopes({ wrapper, now: clock.now }) };
});

/** The KMS client of this process. */
export const kmsClient = (): KmsClient => ofThisProcess().kms;

/** The envelopes of this process, whose keys are wrapped by the stage's KMS key. */
export const envelopes = (): Envelopes => ofThisProcess().envelopes;
