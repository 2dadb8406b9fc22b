/** The functions of sign-in through providers, for the hosted pages. */
export { type Handover, stageHandover, takeHandover } from './handover/handover.ts';
export {
  type ConfiguredSocialProvider,
  configuredSocialProviders,
  type OfferedProvider,
  socialProviders,
} from './provider/offered.ts';
export { type Anew, askedAnew, isFresh } from './sign-in/anew.ts';
export { type Recognized, recognize, type SocialProof, type SocialRefusal } from './sign-in/proof.ts';
export { tellRefusal } from './sign-in/failure.ts';
