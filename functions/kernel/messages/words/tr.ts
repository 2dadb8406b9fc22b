import type { MessageWords } from './en.ts';

/** The texts of mails and SMS in Turkish, with the formal form of address. */
export const tr: MessageWords = {
  'layout.fallback': 'Düğme çalışmıyorsa şu adresi açın:',
  'layout.questions': 'Sorularınız mı var? {address} adresine yazın.',
  'request.lead': 'Bu isteğin kaynağı:',
  'request.browser': 'Cihaz',
  'request.address': 'IP adresi',
  'request.time': 'Zaman',
  'code.subject': '{brand} kodunuz: {code}',
  'code.note': 'Kod bir kez kullanılabilir ve süresi {time} içinde dolar. Bu kodu sizden hiçbir zaman istemeyiz.',
  'magic_auth.subject': '{brand} oturum açma kodunuz',
  'magic_auth.heading': 'Oturum açma kodunuz',
  'magic_auth.ask': 'Oturum açmak için bu kodu {brand} sayfasında girin.',
  'magic_auth.unexpected':
    'Oturum açmayı denemediyseniz bu iletiyi yok sayabilirsiniz: kod olmadan kimse oturum açamaz.',
  'email_verification.subject': '{brand} için e-posta adresinizi doğrulayın',
  'email_verification.heading': 'E-posta adresinizi doğrulayın',
  'email_verification.ask': 'Bu adresin size ait olduğunu doğrulamak için bu kodu {brand} sayfasında girin.',
  'email_verification.unexpected':
    'Bunu siz istemediyseniz biri adresini yanlış yazmış olabilir. Bu e-postayı yok sayabilirsiniz.',
  'email_change.subject': '{brand} için yeni e-posta adresinizi doğrulayın',
  'email_change.heading': 'Yeni e-posta adresinizi doğrulayın',
  'email_change.ask': 'Bundan sonra hesabınızda bu adresi kullanmak için bu kodu {brand} sayfasında girin.',
  'email_change.unexpected': 'Bunu siz istemediyseniz yok sayabilirsiniz: kod olmadan hiçbir şey değişmez.',
  'radar_challenge.subject': '{brand} oturumunu siz mi açıyorsunuz?',
  'radar_challenge.heading': 'Kimliğinizi doğrulayın',
  'radar_challenge.ask': 'Biri, yeni bir cihazdan {brand} hesabınızda oturum açıyor. Bu sizseniz bu kodu orada girin.',
  'radar_challenge.unexpected':
    'Bu siz değilseniz kodu paylaşmayın ve parolanızı değiştirin: başka biri parolanızı biliyor olabilir.',
  'password_reset.subject': '{brand} için yeni bir parola belirleyin',
  'password_reset.heading': 'Yeni bir parola belirleyin',
  'password_reset.ask': 'Biri, {brand} hesabınızın parolasını sıfırlamak istedi.',
  'password_reset.button': 'Yeni parola belirle',
  'password_reset.note':
    'Bağlantı bir kez kullanılabilir ve süresi {time} içinde dolar. Bağlantıya sahip olan herkes onu kullanabilir; bu nedenle kimseye iletmeyin.',
  'password_reset.unexpected': 'Bu siz değilseniz bu e-postayı yok sayabilirsiniz. Parolanız değişmedi.',
  'existing_account.subject': 'Zaten bir {brand} hesabınız var',
  'existing_account.happened':
    'Biri, büyük olasılıkla siz, bu adresle bir {brand} hesabı oluşturmaya çalıştı. Zaten bir hesabınız var.',
  'existing_account.next': 'Geri dönüp oturum açın. Parolanızı mı unuttunuz? Orada sıfırlayabilirsiniz.',
  'existing_account.button': '{brand} hizmetine git',
  'existing_account.otherwise':
    'Bu siz değilseniz bir şey yapmanız gerekmez: hiçbir şey değiştirilmedi ve bir hesabınız olduğunu kimseye açıklamadık.',
  'password_changed.subject': '{brand} parolanız değiştirildi',
  'password_changed.happened':
    '{brand} hesabınızın parolası {when} tarihinde değiştirildi. Diğer cihazlardaki oturumlar kapatıldı.',
  'password_changed.otherwise': 'Bu siz değilseniz parolanızı hemen sıfırlayın ve destek ekibine başvurun.',
  'email_changed.subject': '{brand} e-posta adresiniz değiştirildi',
  'email_changed.happened':
    '{brand} hesabınızın adresi {when} tarihinde {email} olarak değiştirildi. Bu iletiyi aldığınız adresle artık oturum açamazsınız.',
  'email_changed.otherwise': 'Bu siz değilseniz hemen destek ekibine başvurun.',
  'wrong_codes.subject': '{brand} oturumu açılırken hatalı kodlar girildi',
  'wrong_codes.happened':
    'Biri, {brand} hesabınızda oturum açmanın ilk adımını (örneğin parolayı) geçti ve ikinci adımda birkaç hatalı kod girdi; son deneme {when} tarihinde yapıldı. Bu kodların hiçbiri kabul edilmedi.',
  'wrong_codes.otherwise': 'Bu siz değilseniz parolanızı hemen değiştirin ve destek ekibine başvurun.',
  'account_code.subject': '{brand} hesabınızdaki değişikliği onaylayın',
  'account_code.heading': 'Kimliğinizi doğrulayın',
  'account_code.ask': 'Hesabınızda değişiklik yapmak için bu kodu {brand} hesap sayfanızda girin.',
  'account_code.unexpected':
    'Bunu siz istemediyseniz hesabınızda başka biri oturum açmış: parolanızı hemen değiştirin.',
  'passkey_added.subject': '{brand} hesabınıza bir geçiş anahtarı eklendi',
  'passkey_added.happened':
    '“{name}” geçiş anahtarı {when} tarihinde {brand} hesabınıza eklendi. Artık bu anahtarla oturum açabilirsiniz.',
  'passkey_added.otherwise': 'Bu siz değilseniz parolanızı hemen değiştirin ve destek ekibine başvurun.',
  'recovery_code_used.subject': '{brand} hesabınızın bir kurtarma kodu kullanıldı',
  'recovery_code_used.happened':
    '{when} tarihinde {brand} hesabınızda oturum açmak için bir kurtarma kodu kullanıldı. Kalan kod sayısı: {left}.',
  'recovery_code_used.otherwise': 'Bu siz değilseniz parolanızı hemen değiştirin ve kurtarma kodlarınızı yenileyin.',
  'recovery_codes.subject': '{brand} hesabınız için yeni kurtarma kodları',
  'recovery_codes.happened':
    '{when} tarihinde {brand} hesabınız için yeni kurtarma kodları oluşturuldu. Önceki kodlar artık geçerli değil.',
  'recovery_codes.otherwise': 'Bu siz değilseniz parolanızı hemen değiştirin ve destek ekibine başvurun.',
  'account_changed.subject': '{brand} hesabınızda değişiklik yapıldı',
  'account_changed.name_changed': 'Adınız değiştirildi.',
  'account_changed.password_set': 'Bir parola belirlendi. Artık bu parolayla oturum açabilirsiniz.',
  'account_changed.authenticator_added':
    'Bir kimlik doğrulama uygulaması eklendi. Oturum açarken bu uygulamanın kodları gerekir.',
  'account_changed.authenticator_removed':
    'Bir kimlik doğrulama uygulaması veya telefon numarası oturum açma yöntemlerinizden kaldırıldı.',
  'account_changed.passkey_removed': '“{name}” geçiş anahtarı kaldırıldı. Artık bu anahtarla oturum açamazsınız.',
  'account_changed.session_ended': 'Cihazlarınızdan birindeki oturum kapatıldı.',
  'account_changed.sessions_ended': 'Tüm cihazlarınızdaki oturumlar kapatıldı.',
  'account_changed.connected_account_removed':
    '{name} hesabınızın bağlantısı kesildi. Artık bu hesapla oturum açamazsınız.',
  'account_changed.single_sign_on_linked':
    '{name} kuruluşunun tek oturum açması hesabınıza bağlandı. Bu kuruluşta oturum açmanızı sağlar.',
  'account_changed.organization_left': '{name} kuruluşundan ayrıldınız.',
  'account_changed.data_downloaded': 'Verilerinizin bir kopyası indirildi.',
  'account_changed.account_deleted': 'Hesabınız ve verileri silindi.',
  'account_changed.time': 'Bu işlem {when} tarihinde hesap sayfanızda yapıldı.',
  'account_changed.otherwise': 'Bu siz değilseniz parolanızı hemen değiştirin ve destek ekibine başvurun.',
  'notice.button': '{brand} hizmetine git',
  'impersonation.subject': 'Destek ekibi {brand} hesabınızda bir oturum açtı',
  'impersonation.happened':
    '{when} tarihinde {brand} destek ekibi size yardım etmek için hesabınızda oturum açtı. En fazla bir saat boyunca gördüklerinizi görür; parolanızı, adresinizi ve ikinci faktörlerinizi değiştiremez.',
  'impersonation.otherwise': 'Yardım istemediyseniz destek ekibine başvurun.',
  'factor_reset.subject': '{brand} hesabınızın bir ikinci faktörü kaldırıldı',
  'factor_reset.happened':
    'Birinin isteği üzerine destek ekibi {when} tarihinde {brand} hesabınızdan bir ikinci faktörü kaldırdı.',
  'factor_reset.otherwise': 'Bunu siz istemediyseniz şimdi parolanızı değiştirin ve destek ekibiyle iletişime geçin.',
  'factor_reset_pending.subject': '{brand} hesabınızın bir ikinci faktörü kaldırılacak',
  'factor_reset_pending.happened':
    'Birinin isteği üzerine destek ekibi {when} tarihinde {brand} hesabınızdan bir ikinci faktörü kaldıracak.',
  'factor_reset_pending.otherwise': 'Bunu siz istemediyseniz şimdi durdurun: ikinci faktörünüz kalır.',
  'factor_reset_pending.button': 'Kaldırmayı durdur',
  'invitation.subject': '{inviter} sizi davet etti: {place}',
  'invitation.subject_plain': 'Davet edildiniz: {place}',
  'invitation.lead': '{inviter}, sizi {brand} üzerinden şuraya katılmaya davet ediyor: {place}.',
  'invitation.lead_plain': '{brand} üzerinden şuraya katılmaya davet edildiniz: {place}.',
  'invitation.button': 'Daveti kabul et',
  'invitation.until':
    'Bu bağlantının süresi {when} tarihinde dolar; bağlantıyı yalnızca siz ve yalnızca bir kez kullanabilirsiniz.',
  'invitation.unexpected':
    'Böyle bir davet beklemiyorsanız yok sayabilirsiniz. Bağlantı kullanılmadıkça hiçbir şey olmaz.',
  'it_contact.subject': '{organization} için kurulum: {tasks}',
  'it_contact.preheader': '{brand} sizden kurulumu tamamlamanızı istiyor. Bağlantının süresi {when} tarihinde dolar.',
  'it_contact.heading': '{brand} ile {organization} kurulumu',
  'it_contact.lead': '{organization} için BT sorumlususunuz. {brand} sizden şunları kurmanızı istiyor:',
  'it_contact.sso': 'tek oturum açma',
  'it_contact.directory_sync': 'dizin eşitleme',
  'it_contact.log_streams': 'günlük akışları',
  'it_contact.domain_verification': 'alan adı doğrulama',
  'it_contact.bring_your_own_key': 'kendi şifreleme anahtarınız',
  'it_contact.button': 'Kurulumu başlat',
  'it_contact.note':
    'Bağlantının süresi {when} tarihinde dolar. Bağlantıya sahip olan herkes onu kullanabilir; bu nedenle kimseye iletmeyin.',
  'it_contact.unexpected':
    'Böyle bir ileti beklemiyorsanız yok sayabilirsiniz: bağlantı kullanılmadıkça hiçbir şey değişmez.',
  'team.subject': '{brand} üzerinde {team} ekibini yönetiyorsunuz',
  'team.lead': '{brand}, yöneticisi siz olmak üzere {team} ekibini oluşturdu. Ekibin istemci kimlikleri:',
  'team.staging': 'Hazırlık',
  'team.production': 'Üretim',
  'team.keys':
    'Her ikisinin API anahtarlarını {brand} size ayrıca verir. Anahtarlar hiçbir zaman e-postayla gönderilmez.',
  'team.button': 'API başvurusunu oku',
  'team.unexpected': 'Böyle bir ileti beklemiyorsanız bu e-postayı yok sayabilirsiniz.',
  'waitlist.subject': '{brand} bekleme listesindesiniz',
  'waitlist.lead': '{email} adresi {brand} bekleme listesinde.',
  'waitlist.next': 'Hesabınız hazır olduğunda size e-posta göndereceğiz.',
  'waitlist.unexpected': 'Bu siz değilseniz bu e-postayı yok sayabilirsiniz. Hiçbir hesap oluşturulmadı.',
  'approval.subject': '{environment} ortamındaki bir öneri komutla onaylandı',
  'approval.lead':
    'Aşamanın tablosuna erişimi olan biri, ikinci bir operatörün yerine {environment} ({id}) ortamında {operation} işlemini onayladı. Öneriyi yapan kişi 24 saat içinde uygulayabilir.',
  'break_glass.subject': '{environment} için acil durum erişimi açıldı',
  'break_glass.lead':
    'Dağıtımın tablosuna erişimi olan bir kişi, bir saat boyunca konsolda {environment} ({id}) içindeki her şeyi görebilir ve değiştirebilir.',
  'break_glass.reason': 'Belirtilen neden: {reason}',
  'break_glass.next': 'Bunu açıklayamıyorsanız AWS hesabını kimin kullandığını bulun ve bu erişimi kaldırın.',
  'webhook_disabled.subject': '{environment} ortamının bir webhook uç noktası devre dışı bırakıldı',
  'webhook_disabled.preheader': 'Olaylar artık {url} adresine ulaşmıyor.',
  'webhook_disabled.heading': 'Bir webhook uç noktası devre dışı bırakıldı',
  'webhook_disabled.lead': '{environment} ortamının olayları artık {url} ({id}) adresine ulaşmıyor.',
  'webhook_disabled.gone': 'Uç nokta 410 Gone yanıtını verdi; bu, başka olay istemediği anlamına gelir.',
  'webhook_disabled.failing': 'Bu uç noktaya yapılan tüm teslimatlar beş gündür başarısız oluyor.',
  'webhook_disabled.next':
    'Alıcıdaki sorunu giderin, ardından {call} ile uç noktayı yeniden etkinleştirin. O zamandan bu yana oluşan olayları GET /events ile okuyun; başarısız teslimatlar yeniden gönderilebilir.',
  'sms.code': '{brand} kodunuz: {code}. Bu kodu kimseyle paylaşmayın.',
};
