import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/error-response.ts';
import { challengeFactor, verifyChallenge } from './challenge/operations.ts';
import { deleteFactor, enrollFactor, getFactor } from './factor/operations.ts';
import { enrollUserFactor, listUserFactors } from './factor/user-operations.ts';

export const mfaArea = area({
  name: 'mfa',
  summary: 'Authentication factors and challenges: authenticator apps, SMS codes, and codes that you deliver yourself',
  errorForm: messages,
  needs: ['table', 'keys'],
  operations: [
    enrollFactor,
    getFactor,
    deleteFactor,
    challengeFactor,
    verifyChallenge,
    listUserFactors,
    enrollUserFactor,
  ],
  workers: [],
});
