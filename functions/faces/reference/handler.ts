import { httpEntry } from '../../kernel/http/entry.ts';
import { referenceArea } from './area.ts';
import { withCompression } from './document/compressed.ts';

export const http = withCompression(httpEntry(referenceArea));
