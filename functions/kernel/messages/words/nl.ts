import type { MessageWords } from './en.ts';

export const nl: MessageWords = {
  'layout.fallback': 'Werkt de knop niet? Open dan dit adres:',
  'layout.questions': 'Vragen? Schrijf naar {address}.',
  'request.lead': 'Dit is aangevraagd vanaf:',
  'request.browser': 'Apparaat',
  'request.address': 'IP-adres',
  'request.time': 'Tijdstip',
  'code.subject': '{code} is je code voor {brand}',
  'code.note': 'De code werkt één keer en verloopt over {time}. We zullen je nooit om deze code vragen.',
  'magic_auth.subject': 'Je inlogcode voor {brand}',
  'magic_auth.heading': 'Je inlogcode',
  'magic_auth.ask': 'Voer deze code in bij {brand} om in te loggen.',
  'magic_auth.unexpected':
    'Heb je niet geprobeerd in te loggen? Dan kun je dit bericht negeren: zonder de code kan niemand inloggen.',
  'email_verification.subject': 'Bevestig je e-mailadres voor {brand}',
  'email_verification.heading': 'Bevestig je e-mailadres',
  'email_verification.ask': 'Voer deze code in bij {brand} om te bevestigen dat dit adres van jou is.',
  'email_verification.unexpected':
    'Heb je dit niet aangevraagd? Dan heeft iemand misschien een typefout in een adres gemaakt. Je kunt deze e-mail negeren.',
  'email_change.subject': 'Bevestig je nieuwe e-mailadres voor {brand}',
  'email_change.heading': 'Bevestig je nieuwe e-mailadres',
  'email_change.ask': 'Voer deze code in bij {brand} om dit adres voortaan voor je account te gebruiken.',
  'email_change.unexpected':
    'Heb je dit niet aangevraagd? Dan kun je dit bericht negeren: zonder de code verandert er niets.',
  'radar_challenge.subject': 'Ben jij dit die inlogt bij {brand}?',
  'radar_challenge.heading': 'Bevestig dat jij het bent',
  'radar_challenge.ask':
    'Iemand logt vanaf een nieuw apparaat in op je account bij {brand}. Ben jij dit, voer deze code dan daar in.',
  'radar_challenge.unexpected':
    'Ben jij dit niet, deel de code dan niet en wijzig je wachtwoord: misschien kent iemand anders het.',
  'password_reset.subject': 'Kies een nieuw wachtwoord voor {brand}',
  'password_reset.heading': 'Kies een nieuw wachtwoord',
  'password_reset.ask': 'Iemand heeft gevraagd om het wachtwoord van je account bij {brand} opnieuw in te stellen.',
  'password_reset.button': 'Nieuw wachtwoord kiezen',
  'password_reset.note':
    'De link werkt één keer en verloopt over {time}. Iedereen die de link heeft, kan hem gebruiken. Stuur hem dus niet door.',
  'password_reset.unexpected': 'Was jij dit niet? Dan kun je deze e-mail negeren. Je wachtwoord is niet gewijzigd.',
  'existing_account.subject': 'Je hebt al een account bij {brand}',
  'existing_account.happened':
    'Iemand, waarschijnlijk jijzelf, probeerde bij {brand} een account aan te maken met dit adres. Je hebt er al een.',
  'existing_account.next': 'Ga terug en log in. Wachtwoord vergeten? Stel het daar opnieuw in.',
  'existing_account.button': 'Naar {brand}',
  'existing_account.otherwise':
    'Was jij dit niet? Dan hoef je niets te doen: er is niets gewijzigd en we hebben niet bekendgemaakt dat je een account hebt.',
  'password_changed.subject': 'Je wachtwoord voor {brand} is gewijzigd',
  'password_changed.happened':
    'Het wachtwoord van je account bij {brand} is gewijzigd op {when}. Andere apparaten zijn uitgelogd.',
  'password_changed.otherwise':
    'Was jij dit niet? Stel je wachtwoord dan nu opnieuw in en neem contact op met support.',
  'email_changed.subject': 'Je e-mailadres voor {brand} is gewijzigd',
  'email_changed.happened':
    'Je account bij {brand} gebruikt sinds {when} het adres {email}. Met het adres waarop je deze e-mail ontvangt, kun je niet meer inloggen.',
  'email_changed.otherwise': 'Was jij dit niet? Neem dan onmiddellijk contact op met support.',
  'wrong_codes.subject': 'Onjuiste codes bij het inloggen bij {brand}',
  'wrong_codes.happened':
    'Iemand heeft bij het inloggen op je account bij {brand} de eerste stap doorlopen, bijvoorbeeld het wachtwoord, en bij de tweede stap meerdere onjuiste codes ingevoerd, voor het laatst op {when}. Geen van deze codes is geaccepteerd.',
  'wrong_codes.otherwise': 'Was jij dit niet? Wijzig dan nu je wachtwoord en neem contact op met support.',
  'account_code.subject': 'Bevestig een wijziging van je account bij {brand}',
  'account_code.heading': 'Bevestig dat jij het bent',
  'account_code.ask': 'Voer deze code in op je accountpagina bij {brand} om je account te wijzigen.',
  'account_code.unexpected':
    'Heb je dit niet aangevraagd? Dan is iemand ingelogd op je account: wijzig nu je wachtwoord.',
  'passkey_added.subject': 'Er is een passkey toegevoegd aan je account bij {brand}',
  'passkey_added.happened':
    'De passkey ‘{name}’ is op {when} toegevoegd aan je account bij {brand}. Je kunt er vanaf nu mee inloggen.',
  'passkey_added.otherwise': 'Was jij dit niet? Wijzig dan nu je wachtwoord en neem contact op met support.',
  'recovery_code_used.subject': 'Er is een herstelcode voor je account bij {brand} gebruikt',
  'recovery_code_used.happened':
    'Op {when} is met een herstelcode ingelogd op je account bij {brand}. Resterende codes: {left}.',
  'recovery_code_used.otherwise': 'Was jij dit niet? Wijzig dan nu je wachtwoord en vernieuw je herstelcodes.',
  'recovery_codes.subject': 'Nieuwe herstelcodes voor je account bij {brand}',
  'recovery_codes.happened':
    'Op {when} zijn nieuwe herstelcodes aangemaakt voor je account bij {brand}. Eerdere codes werken niet meer.',
  'recovery_codes.otherwise': 'Was jij dit niet? Wijzig dan nu je wachtwoord en neem contact op met support.',
  'account_changed.subject': 'Je account bij {brand} is gewijzigd',
  'account_changed.name_changed': 'Je naam is gewijzigd.',
  'account_changed.password_set': 'Er is een wachtwoord ingesteld. Je kunt er nu mee inloggen.',
  'account_changed.authenticator_added':
    'Er is een authenticator-app toegevoegd. Je hebt de codes ervan nodig wanneer je inlogt.',
  'account_changed.authenticator_removed':
    'Een authenticator-app of telefoonnummer is verwijderd uit je inlogmethoden.',
  'account_changed.passkey_removed': 'De passkey ‘{name}’ is verwijderd. Je kunt er niet meer mee inloggen.',
  'account_changed.session_ended': 'Een van je apparaten is uitgelogd.',
  'account_changed.sessions_ended': 'Al je apparaten zijn uitgelogd.',
  'account_changed.connected_account_removed': 'Je {name}-account is losgekoppeld. Je kunt er niet meer mee inloggen.',
  'account_changed.single_sign_on_linked':
    'De single sign-on van {name} is aan je account gekoppeld. Daarmee log je in bij deze organisatie.',
  'account_changed.organization_left': 'Je hebt de organisatie {name} verlaten.',
  'account_changed.data_downloaded': 'Er is een kopie van je gegevens gedownload.',
  'account_changed.account_deleted': 'Je account en de bijbehorende gegevens zijn verwijderd.',
  'account_changed.time': 'Dit gebeurde op {when}, op je accountpagina.',
  'account_changed.otherwise': 'Was jij dit niet? Wijzig dan nu je wachtwoord en neem contact op met support.',
  'notice.button': 'Naar {brand}',
  'impersonation.subject': 'De ondersteuning heeft een sessie in je account bij {brand} geopend',
  'impersonation.happened':
    'Op {when} heeft de ondersteuning van {brand} zich bij je account aangemeld om je te helpen. Zij ziet wat jij ziet, hoogstens een uur, en kan je wachtwoord, adres en tweede factoren niet wijzigen.',
  'impersonation.otherwise': 'Heb je niet om hulp gevraagd, neem dan contact op met de ondersteuning.',
  'factor_reset.subject': 'Een tweede factor van je {brand}-account is verwijderd',
  'factor_reset.happened':
    'De klantenservice heeft op {when} een tweede factor van je account bij {brand} verwijderd, omdat iemand daarom vroeg.',
  'factor_reset.otherwise': 'Was jij dit niet? Wijzig dan nu je wachtwoord en neem contact op met de klantenservice.',
  'factor_reset_pending.subject': 'Een tweede factor van je {brand}-account wordt verwijderd',
  'factor_reset_pending.happened':
    'De klantenservice verwijdert op {when} een tweede factor van je account bij {brand}, omdat iemand daarom vroeg.',
  'factor_reset_pending.otherwise': 'Was jij dit niet? Stop het dan nu: je tweede factor blijft dan behouden.',
  'factor_reset_pending.button': 'Verwijdering stoppen',
  'invitation.subject': '{inviter} heeft je uitgenodigd voor {place}',
  'invitation.subject_plain': 'Je bent uitgenodigd voor {place}',
  'invitation.lead': '{inviter} nodigt je uit om lid te worden van {place} op {brand}.',
  'invitation.lead_plain': 'Je bent uitgenodigd om lid te worden van {place} op {brand}.',
  'invitation.button': 'Uitnodiging accepteren',
  'invitation.until': 'Deze link verloopt op {when} en kan één keer worden gebruikt, alleen door jou.',
  'invitation.unexpected':
    'Had je dit niet verwacht? Dan kun je het negeren. Er gebeurt niets totdat de link wordt gebruikt.',
  'it_contact.subject': 'Instellen voor {organization}: {tasks}',
  'it_contact.preheader': '{brand} vraagt je om de configuratie te voltooien. De link verloopt op {when}.',
  'it_contact.heading': '{organization} instellen bij {brand}',
  'it_contact.lead': 'Je bent IT-contactpersoon van {organization}. {brand} vraagt je om het volgende in te stellen:',
  'it_contact.sso': 'single sign-on',
  'it_contact.directory_sync': 'directorysynchronisatie',
  'it_contact.log_streams': 'logstreams',
  'it_contact.domain_verification': 'domeinverificatie',
  'it_contact.bring_your_own_key': 'een eigen versleutelingssleutel',
  'it_contact.button': 'Configuratie starten',
  'it_contact.note':
    'De link verloopt op {when}. Iedereen die de link heeft, kan hem gebruiken. Stuur hem dus niet door.',
  'it_contact.unexpected':
    'Had je dit niet verwacht? Dan kun je het negeren: er verandert niets totdat de link wordt gebruikt.',
  'team.subject': 'Je beheert {team} bij {brand}',
  'team.lead': '{brand} heeft het team {team} aangemaakt met jou als beheerder. De client-ID’s:',
  'team.staging': 'Staging',
  'team.production': 'Productie',
  'team.keys': 'De API-sleutels van beide krijg je van {brand}. Ze staan nooit in een e-mail.',
  'team.button': 'API-documentatie lezen',
  'team.unexpected': 'Had je dit niet verwacht? Dan kun je deze e-mail negeren.',
  'waitlist.subject': 'Je staat op de wachtlijst van {brand}',
  'waitlist.lead': '{email} staat op de wachtlijst van {brand}.',
  'waitlist.next': 'We sturen je een e-mail zodra je account klaar is.',
  'waitlist.unexpected': 'Was jij dit niet? Dan kun je deze e-mail negeren. Er is geen account aangemaakt.',
  'approval.subject': 'Een voorstel in {environment} is met een opdracht goedgekeurd',
  'approval.lead':
    'Iemand met toegang tot de tabel van de stage heeft {operation} in {environment} ({id}) goedgekeurd, in plaats van een tweede operator. De indiener kan het binnen 24 uur uitvoeren.',
  'break_glass.subject': 'Er is noodtoegang tot {environment} geopend',
  'break_glass.lead':
    'Een uur lang kan iemand met toegang tot de tabel van de omgeving in de console alles in {environment} ({id}) zien en wijzigen.',
  'break_glass.reason': 'De opgegeven reden: {reason}',
  'break_glass.next':
    'Als je dit niet kunt verklaren, ga dan na wie het AWS-account heeft gebruikt en trek die toegang in.',
  'webhook_disabled.subject': 'Een webhook-endpoint van {environment} is uitgeschakeld',
  'webhook_disabled.preheader': 'Gebeurtenissen bereiken {url} niet meer.',
  'webhook_disabled.heading': 'Een webhook-endpoint is uitgeschakeld',
  'webhook_disabled.lead': 'Gebeurtenissen van {environment} bereiken {url} ({id}) niet meer.',
  'webhook_disabled.gone':
    'Het endpoint antwoordde met 410 Gone. Dat betekent dat het geen gebeurtenissen meer wil ontvangen.',
  'webhook_disabled.failing': 'Elke aflevering aan het endpoint is vijf dagen lang mislukt.',
  'webhook_disabled.next':
    'Herstel de ontvanger en schakel het endpoint weer in met {call}. Lees de gebeurtenissen sindsdien via GET /events; mislukte afleveringen kunnen opnieuw worden verzonden.',
  'sms.code': '{code} is je code voor {brand}. Deel deze code met niemand.',
};
