/** The functions of sign-in through providers, for the hosted pages. */
export {
  type Handover,
  type SignedInUser,
  stageHandover,
  stageReadyHandover,
  takeHandover,
} from './handover/handover.ts';
export {
  type ConfiguredSocialProvider,
  configuredSocialProviders,
  type OfferedProvider,
  socialProviders,
} from './provider/offered.ts';
export { isFresh, type Reauthentication, requiredReauthentication } from './sign-in/reauthentication.ts';
export { type Recognized, recognize, type SocialProof, type SocialRejection } from './sign-in/proof.ts';
export { emitSocialRejection } from './sign-in/failure.ts';
