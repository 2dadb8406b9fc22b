import * as z from 'zod';

import { AuthenticationChallenge } from '../challenge/schema.ts';
import { AuthenticationFactorEnrolled } from './schema.ts';

/** A factor that is challenged as it is enrolled. */
export const UserFactorEnrolled = z
  .object({ authentication_factor: AuthenticationFactorEnrolled, authentication_challenge: AuthenticationChallenge })
  .meta({ id: 'UserlandUserAuthenticationFactorEnrollResponse' });
