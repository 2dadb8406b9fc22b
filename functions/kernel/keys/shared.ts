import { KMSClient } from '@aws-sdk/client-kms';

import { requestHandler } from '../aws-requests.ts';
import { clock } from '../clock.ts';
import { settings, type Settings } from '../settings.ts';
import { createEnvelopes, type Envelopes } from './envelopes.ts';
import { kmsKeyWrapper } from './kms-key-wrapper.ts';

let shared: { of: Settings; kms: KMSClient; envelopes: Envelopes } | undefined;

function ofThisProcess() {
  const current = settings();
  if (shared?.of !== current) {
    const kms = new KMSClient({ maxAttempts: 2, requestHandler: requestHandler() });
    const wrapper = kmsKeyWrapper({ kms, keyId: current.GATEHOUSE_KMS_KEY });
    shared = { of: current, kms, envelopes: createEnvelopes({ wrapper, now: clock.now }) };
  }
  return shared;
}

/** The KMS client of this process. */
export const kmsClient = (): KMSClient => ofThisProcess().kms;

/** The envelopes of this process, under the stage's KMS key. */
export const envelopes = (): Envelopes => ofThisProcess().envelopes;
