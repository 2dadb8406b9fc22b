import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/refusal.ts';
import { getRadarChallenge, sendRadarSmsChallenge } from './challenge/operations.ts';

export const radarArea = area({
  name: 'radar',
  summary: 'Radar: additional codes for risky sign-ins',
  refusals: messages,
  needs: ['table', 'keys'],
  operations: [sendRadarSmsChallenge, getRadarChallenge],
  workers: [],
});
