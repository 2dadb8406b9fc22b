import { httpEntry } from '../../kernel/http/entry.ts';
import { widgetsArea } from './area.ts';

export const http = httpEntry(widgetsArea);
