import type { MessageWords } from './en.ts';

export const de: MessageWords = {
  'layout.fallback': 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  'layout.questions': 'Fragen? Schreiben Sie an {address}.',
  'request.lead': 'Angefordert von:',
  'request.browser': 'Gerät',
  'request.address': 'IP-Adresse',
  'request.time': 'Zeit',
  'code.subject': '{code} ist Ihr Code für {brand}',
  'code.note': 'Der Code kann einmal verwendet werden und gilt {time}. Wir werden Sie nie nach diesem Code fragen.',
  'magic_auth.subject': 'Ihr Anmeldecode für {brand}',
  'magic_auth.heading': 'Ihr Anmeldecode',
  'magic_auth.ask': 'Geben Sie diesen Code bei {brand} ein, um sich anzumelden.',
  'magic_auth.unexpected':
    'Wenn Sie sich nicht anmelden wollten, müssen Sie nichts tun: Ohne den Code kann sich niemand anmelden.',
  'email_verification.subject': 'Bestätigen Sie Ihre E-Mail-Adresse für {brand}',
  'email_verification.heading': 'E-Mail-Adresse bestätigen',
  'email_verification.ask': 'Geben Sie diesen Code bei {brand} ein, um zu bestätigen, dass diese Adresse Ihnen gehört.',
  'email_verification.unexpected':
    'Wenn Sie das nicht angefordert haben, hat vielleicht jemand eine falsche Adresse eingegeben. Sie können diese E-Mail ignorieren.',
  'email_change.subject': 'Bestätigen Sie Ihre neue E-Mail-Adresse für {brand}',
  'email_change.heading': 'Neue E-Mail-Adresse bestätigen',
  'email_change.ask': 'Geben Sie diesen Code bei {brand} ein, um künftig diese Adresse für Ihr Konto zu verwenden.',
  'email_change.unexpected':
    'Wenn Sie das nicht angefordert haben, müssen Sie nichts tun: Ohne den Code ändert sich nichts.',
  'radar_challenge.subject': 'Melden Sie sich gerade bei {brand} an?',
  'radar_challenge.heading': 'Bestätigen Sie, dass Sie es sind',
  'radar_challenge.ask':
    'Jemand meldet sich mit einem neuen Gerät bei {brand} mit Ihrem Konto an. Wenn Sie das sind, geben Sie dort diesen Code ein.',
  'radar_challenge.unexpected':
    'Wenn Sie das nicht sind, geben Sie den Code nicht weiter und ändern Sie Ihr Passwort: Möglicherweise kennt es jemand anders.',
  'password_reset.subject': 'Neues Passwort für {brand} wählen',
  'password_reset.heading': 'Neues Passwort wählen',
  'password_reset.ask': 'Für Ihr Konto bei {brand} wurde ein neues Passwort angefordert.',
  'password_reset.button': 'Neues Passwort wählen',
  'password_reset.note':
    'Der Link kann einmal verwendet werden und gilt {time}. Wer ihn hat, kann ihn nutzen: Leiten Sie ihn nicht weiter.',
  'password_reset.unexpected': 'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort wurde nicht geändert.',
  'existing_account.subject': 'Sie haben schon ein Konto bei {brand}',
  'existing_account.happened':
    'Jemand, vermutlich Sie, wollte bei {brand} ein Konto mit dieser Adresse anlegen. Sie haben bereits eines.',
  'existing_account.next': 'Gehen Sie zurück und melden Sie sich an. Passwort vergessen? Setzen Sie es dort zurück.',
  'existing_account.button': 'Zu {brand}',
  'existing_account.otherwise':
    'Wenn Sie das nicht waren, ist nichts zu tun: Nichts wurde geändert, und niemand hat von Ihrem Konto erfahren.',
  'password_changed.subject': 'Ihr Passwort für {brand} wurde geändert',
  'password_changed.happened':
    'Das Passwort Ihres Kontos bei {brand} wurde am {when} geändert. Andere Geräte sind abgemeldet.',
  'password_changed.otherwise':
    'Wenn Sie das nicht waren, setzen Sie Ihr Passwort jetzt zurück und wenden Sie sich an den Support.',
  'email_changed.subject': 'Ihre E-Mail-Adresse für {brand} wurde geändert',
  'email_changed.happened':
    'Ihr Konto bei {brand} hat seit dem {when} die Adresse {email}. Mit der bisherigen können Sie sich nicht mehr anmelden.',
  'email_changed.otherwise': 'Wenn Sie das nicht waren, wenden Sie sich sofort an den Support.',
  'wrong_codes.subject': 'Falsche Codes bei einer Anmeldung bei {brand}',
  'wrong_codes.happened':
    'Jemand hat den ersten Schritt einer Anmeldung bei Ihrem Konto bei {brand} bestanden, zum Beispiel das Passwort, und im zweiten Schritt mehrere falsche Codes eingegeben, zuletzt am {when}. Keiner dieser Codes wurde angenommen.',
  'wrong_codes.otherwise':
    'Wenn Sie das nicht waren, ändern Sie Ihr Passwort jetzt und wenden Sie sich an den Support.',
  'account_code.subject': 'Änderung an Ihrem Konto bei {brand} bestätigen',
  'account_code.heading': 'Bestätigen Sie, dass Sie es sind',
  'account_code.ask': 'Geben Sie diesen Code auf Ihrer Kontoseite bei {brand} ein, um Ihr Konto zu ändern.',
  'account_code.unexpected':
    'Wenn Sie das nicht angefordert haben, ist jemand anderes bei Ihrem Konto angemeldet: Ändern Sie jetzt Ihr Passwort.',
  'passkey_added.subject': 'Ein Passkey wurde Ihrem Konto bei {brand} hinzugefügt',
  'passkey_added.happened':
    'Der Passkey „{name}“ wurde Ihrem Konto bei {brand} am {when} hinzugefügt. Sie können sich ab jetzt damit anmelden.',
  'passkey_added.otherwise':
    'Wenn Sie das nicht waren, ändern Sie Ihr Passwort jetzt und wenden Sie sich an den Support.',
  'recovery_code_used.subject': 'Ein Wiederherstellungscode für {brand} wurde verwendet',
  'recovery_code_used.happened':
    'Mit einem Wiederherstellungscode hat sich am {when} jemand bei Ihrem Konto bei {brand} angemeldet. Verbleibende Codes: {left}.',
  'recovery_code_used.otherwise':
    'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und erneuern Sie Ihre Wiederherstellungscodes.',
  'recovery_codes.subject': 'Neue Wiederherstellungscodes für {brand}',
  'recovery_codes.happened':
    'Für Ihr Konto bei {brand} wurden am {when} neue Wiederherstellungscodes erstellt. Frühere Codes gelten nicht mehr.',
  'recovery_codes.otherwise':
    'Wenn Sie das nicht waren, ändern Sie Ihr Passwort jetzt und wenden Sie sich an den Support.',
  'account_changed.subject': 'Ihr Konto bei {brand} wurde geändert',
  'account_changed.name_changed': 'Ihr Name wurde geändert.',
  'account_changed.password_set': 'Ein Passwort wurde festgelegt. Sie können sich jetzt damit anmelden.',
  'account_changed.authenticator_added':
    'Eine Authenticator-App wurde hinzugefügt. Sie brauchen ihre Codes beim Anmelden.',
  'account_changed.authenticator_removed':
    'Eine Authenticator-App oder Telefonnummer wurde von Ihrer Anmeldung entfernt.',
  'account_changed.passkey_removed': 'Der Passkey „{name}“ wurde entfernt. Sie können sich damit nicht mehr anmelden.',
  'account_changed.session_ended': 'Eines Ihrer Geräte wurde abgemeldet.',
  'account_changed.sessions_ended': 'Alle Ihre Geräte wurden abgemeldet.',
  'account_changed.connected_account_removed':
    'Ihr Konto bei {name} wurde getrennt. Sie können sich damit nicht mehr anmelden.',
  'account_changed.single_sign_on_linked':
    'Das Single Sign-on von {name} wurde mit Ihrem Konto verbunden. Es meldet Sie bei dieser Organisation an.',
  'account_changed.organization_left': 'Sie haben die Organisation {name} verlassen.',
  'account_changed.data_downloaded': 'Eine Kopie Ihrer Daten wurde heruntergeladen.',
  'account_changed.account_deleted': 'Ihr Konto und seine Daten wurden gelöscht.',
  'account_changed.time': 'Das geschah am {when} auf Ihrer Kontoseite.',
  'account_changed.otherwise':
    'Wenn Sie das nicht waren, ändern Sie Ihr Passwort jetzt und wenden Sie sich an den Support.',
  'notice.button': 'Zu {brand}',
  'impersonation.subject': 'Der Support hat eine Sitzung in Ihrem Konto bei {brand} geöffnet',
  'impersonation.happened':
    'Am {when} hat sich der Support von {brand} in Ihrem Konto angemeldet, um Ihnen zu helfen. Er sieht, was Sie sehen, höchstens eine Stunde lang, und kann weder Ihr Passwort noch Ihre Adresse noch Ihre zweiten Faktoren ändern.',
  'impersonation.otherwise': 'Wenn Sie nicht um Hilfe gebeten haben, wenden Sie sich an den Support.',
  'factor_reset.subject': 'Ein zweiter Faktor deines {brand}-Kontos wurde entfernt',
  'factor_reset.happened':
    'Der Support hat am {when} einen zweiten Faktor von deinem Konto bei {brand} entfernt, weil jemand darum gebeten hat.',
  'factor_reset.otherwise': 'Wenn du das nicht warst, ändere jetzt dein Passwort und wende dich an den Support.',
  'factor_reset_pending.subject': 'Ein zweiter Faktor deines {brand}-Kontos wird entfernt',
  'factor_reset_pending.happened':
    'Der Support wird am {when} einen zweiten Faktor von deinem Konto bei {brand} entfernen, weil jemand darum gebeten hat.',
  'factor_reset_pending.otherwise':
    'Wenn du das nicht warst, halte es jetzt an: Dann bleibt dein zweiter Faktor bestehen.',
  'factor_reset_pending.button': 'Entfernung anhalten',
  'invitation.subject': '{inviter} hat Sie zu {place} eingeladen',
  'invitation.subject_plain': 'Sie sind zu {place} eingeladen',
  'invitation.lead': '{inviter} lädt Sie ein, {place} auf {brand} beizutreten.',
  'invitation.lead_plain': 'Sie sind eingeladen, {place} auf {brand} beizutreten.',
  'invitation.button': 'Einladung annehmen',
  'invitation.until': 'Der Link gilt bis zum {when}. Er kann nur einmal und nur von Ihnen verwendet werden.',
  'invitation.unexpected':
    'Falls Sie das nicht erwartet haben, müssen Sie nichts tun: Solange der Link nicht verwendet wird, geschieht nichts.',
  'it_contact.subject': 'Für {organization} einrichten: {tasks}',
  'it_contact.preheader': '{brand} bittet Sie, die Einrichtung abzuschließen. Der Link gilt bis zum {when}.',
  'it_contact.heading': '{organization} mit {brand} einrichten',
  'it_contact.lead': 'Sie sind IT-Ansprechperson von {organization}. {brand} bittet Sie, Folgendes einzurichten:',
  'it_contact.sso': 'Single Sign-on',
  'it_contact.directory_sync': 'Verzeichnisabgleich',
  'it_contact.log_streams': 'Protokoll-Streams',
  'it_contact.domain_verification': 'Domainbestätigung',
  'it_contact.bring_your_own_key': 'eigener Schlüssel für die Verschlüsselung',
  'it_contact.button': 'Einrichtung starten',
  'it_contact.note': 'Der Link gilt bis zum {when}. Wer ihn hat, kann ihn nutzen: Leiten Sie ihn nicht weiter.',
  'it_contact.unexpected':
    'Falls Sie das nicht erwartet haben, müssen Sie nichts tun: Solange der Link nicht verwendet wird, ändert sich nichts.',
  'team.subject': 'Sie verwalten {team} bei {brand}',
  'team.lead': '{brand} hat das Team {team} angelegt und Ihnen die Verwaltung übertragen. Die Client-IDs:',
  'team.staging': 'Staging',
  'team.production': 'Produktion',
  'team.keys': 'Die API-Schlüssel für beide erhalten Sie von {brand}, niemals per E-Mail.',
  'team.button': 'API-Referenz lesen',
  'team.unexpected': 'Falls Sie das nicht erwartet haben, ignorieren Sie diese E-Mail.',
  'waitlist.subject': 'Sie stehen auf der Warteliste von {brand}',
  'waitlist.lead': '{email} steht auf der Warteliste von {brand}.',
  'waitlist.next': 'Wir schreiben Ihnen, sobald Ihr Konto bereit ist.',
  'waitlist.unexpected': 'Falls Sie das nicht waren, können Sie diese E-Mail ignorieren. Es wurde kein Konto angelegt.',
  'approval.subject': 'Ein Vorschlag in {environment} wurde durch einen Befehl genehmigt',
  'approval.lead':
    'Jemand mit Zugriff auf die Tabelle der Stage hat {operation} in {environment} ({id}) anstelle einer zweiten Person genehmigt. Wer den Vorschlag gemacht hat, kann ihn innerhalb von 24 Stunden ausführen.',
  'break_glass.subject': 'Notfallzugang zu {environment} wurde geöffnet',
  'break_glass.lead':
    'Eine Stunde lang kann jemand mit Zugriff auf die Tabelle der Stage in der Konsole alles in {environment} ({id}) sehen und ändern.',
  'break_glass.reason': 'Der angegebene Grund: {reason}',
  'break_glass.next':
    'Wenn Sie sich das nicht erklären können, finden Sie heraus, wer das AWS-Konto benutzt hat, und entziehen Sie diesen Zugriff.',
  'webhook_disabled.subject': 'Ein Webhook-Endpunkt von {environment} wurde deaktiviert',
  'webhook_disabled.preheader': 'Ereignisse erreichen {url} nicht mehr.',
  'webhook_disabled.heading': 'Ein Webhook-Endpunkt wurde deaktiviert',
  'webhook_disabled.lead': 'Ereignisse von {environment} erreichen {url} ({id}) nicht mehr.',
  'webhook_disabled.gone': 'Er hat mit 410 Gone geantwortet: Er möchte keine weiteren Ereignisse.',
  'webhook_disabled.failing': 'Seit fünf Tagen ist jede Zustellung an ihn fehlgeschlagen.',
  'webhook_disabled.next':
    'Reparieren Sie den Empfänger und aktivieren Sie den Endpunkt wieder mit {call}. Lesen Sie die Ereignisse seither mit GET /events; fehlgeschlagene Zustellungen können erneut gesendet werden.',
  'sms.code': '{code} ist Ihr Code für {brand}. Nennen Sie ihn niemandem.',
};
