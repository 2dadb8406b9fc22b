import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text } from './values.ts';

const CreatedChallenge = z.object({ type: z.literal('email'), radar_challenge_id: text, user_id: text, email: text });

/** Events of challenges. The risk that caused a challenge has an authentication event. */
export const radarEvents = {
  'radar.challenge_created': { data: CreatedChallenge, subscribable: true },
} as const satisfies EventFamily<'radar.'>;
