import { KMSClient } from '@aws-sdk/client-kms';

import { clientOptions } from '../aws-requests.ts';
import { clock } from '../clock.ts';
import { perSettings } from '../settings.ts';
import { createEnvelopes, type Envelopes } from './envelopes.ts';
import type { StageKeyScope } from './key-wrapper.ts';
import { kmsKeyWrapper } from './kms-key-wrapper.ts';

const ofThisProcess = perSettings((current): { kms: KMSClient; envelopes: Envelopes<StageKeyScope> } => {
  const kms = new KMSClient({ maxAttempts: 2, ...clientOptions() });
  const wrapper = kmsKeyWrapper({ kms, keyId: current.GATEHOUSE_KMS_KEY });
  return { kms, envelopes: createEnvelopes({ wrapper, now: clock.now }) };
});

/** The KMS client of this process. */
export const kmsClient = (): KMSClient => ofThisProcess().kms;

/** The envelopes of this process, whose keys are wrapped by the stage's KMS key. */
export const envelopes = (): Envelopes<StageKeyScope> => ofThisProcess().envelopes;
