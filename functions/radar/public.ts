/**
 * The functions of Radar challenges for other areas. This area knows users and sign-ins only by the arguments of these
 * functions.
 */
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
