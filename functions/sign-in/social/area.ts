import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { providerOperations } from './provider/operations.ts';
import { signInOperations } from './sign-in/operations.ts';

export const socialArea = area({
  name: 'social',
  group: 'sign-in',
  summary: 'Sign-in with Google, Microsoft, Apple, GitHub and other providers',
  errorForm: messages,
  needs: ['table', 'keys', 'egress', 'base-url'],
  operations: [...providerOperations, ...signInOperations],
  workers: [],
});
