/** Passkeys for the pages on which users sign in and manage their account. */
export { findPasskeys, findPasskey, type PasskeyRecord } from './passkey/entity.ts';
export { stagePasskeyName, stageRemovalOfPasskey, stageRemovalOfPasskeys } from './passkey/stage.ts';
export { presentPasskey } from './passkey/schema.ts';
export { findRelyingParty } from './relying-party.ts';
export {
  beginPasskeySignIn,
  finishPasskeySignIn,
  type PasskeyFault,
  type PasskeyOutcome,
} from './ceremony/authenticate.ts';
export { beginPasskeyEnrolment, finishPasskeyEnrolment } from './ceremony/enroll.ts';
export { mayOfferPasskey, stagePasskeyOfferDeclined } from './offer/offer.ts';
export { repeatPasskeyRequest } from './ceremony/authenticate.ts';
export { MAX_RESPONSE } from './ceremony/response.ts';
export type { CreationOptions, RequestOptions } from './ceremony/options.ts';
