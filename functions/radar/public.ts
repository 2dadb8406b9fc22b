/**
 * What other areas may know of Radar challenges. It knows nothing of users but what it is given, and nothing of sign-ins but
 * their tokens.
 */
export {
  type RadarBinding,
  checkRadarChallenge,
  type RadarOutcome,
  radarPhoneOf,
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
