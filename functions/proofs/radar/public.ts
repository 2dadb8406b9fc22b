/**
 * The functions of Radar challenges for other areas. This area knows users and sign-ins only by the arguments of these
 * functions.
 */
export { assessCreation } from './attempt/creation.ts';
export {
  assessLists,
  assessSignIn,
  type SignInRisk,
  stageLaterSuccess,
  stageSignInAttempt,
} from './attempt/sign-in.ts';
export type { AttemptData } from './attempt/measure.ts';
export { usesRadarSignals } from './rule-set/find.ts';
export {
  type RadarBinding,
  checkRadarChallenge,
  type RadarOutcome,
  findRadarPhone,
  stageRemovalOfRadarPhone,
} from './challenge/check.ts';
export type { RadarChallengeRecord } from './challenge/entity.ts';
export {
  admitSmsChallenge,
  type ChallengedUser,
  stageRadarChallenge,
  stageRadarChallengeAgain,
  type WantedRadarChallenge,
} from './challenge/stage.ts';

import { findSettings } from '../../kernel/environment-settings.ts';
import { radarSettings } from './rule-set/settings.ts';

/** The part of Radar that an environment's sign-ins use. */
export const findRadarSettings = (environmentId: string) => findSettings(environmentId, radarSettings);
