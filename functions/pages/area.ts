import { area } from '../kernel/area.ts';
import { getAsset } from './assets/operations.ts';
import { showSignedOut } from './ending/operations.ts';
import { pagesRefusals } from './ending/refusal.ts';
import { pagesSettingsOperations } from './settings/operations.ts';

export const pagesArea = area({
  name: 'pages',
  summary: 'The hosted pages: signing in, up and out, codes, passwords, second factors, organizations, devices',
  refusals: pagesRefusals,
  needs: ['table', 'keys', 'base-url'],
  operations: [getAsset, showSignedOut, ...pagesSettingsOperations],
  workers: [],
});
