import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/refusal.ts';
import { providerOperations } from './provider/operations.ts';
import { signInOperations } from './sign-in/operations.ts';

export const socialArea = area({
  name: 'social',
  summary: 'Signing in through Google, Microsoft, Apple, GitHub and others',
  refusals: messages,
  needs: ['table', 'keys', 'egress', 'base-url'],
  operations: [...providerOperations, ...signInOperations],
  workers: [],
});
