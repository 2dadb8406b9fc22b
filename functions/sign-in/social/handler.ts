import { httpEntry } from '../../kernel/http/entry.ts';
import { socialArea } from './area.ts';

export const http = httpEntry(socialArea);
