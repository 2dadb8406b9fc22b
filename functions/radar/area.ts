import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/error-response.ts';
import { getRadarChallenge, sendRadarSmsChallenge } from './challenge/operations.ts';

export const radarArea = area({
  name: 'radar',
  summary: 'Radar: additional codes for risky sign-ins',
  errorForm: messages,
  needs: ['table', 'keys'],
  operations: [sendRadarSmsChallenge, getRadarChallenge],
  workers: [],
});
