//! Clauses that say that nothing was found, in languages other than English.

use crate::support::{brand, is_mentioned, reason};
use mentions::RejectionReason;

#[test]
fn nothing_is_found_in_many_languages() {
    for clause in [
        "Zu Zendo liegen keine Informationen vor.",
        "Über Zendo konnte ich nichts finden.",
        "Zendo wird nicht erwähnt.",
        "Zendo taucht in den Ergebnissen nicht auf.",
        "Zendo n'apparaît pas dans les résultats.",
        "Zendo n'est pas mentionné.",
        "Je ne connais pas Zendo.",
        "Zendo no aparece en los resultados.",
        "No se menciona Zendo.",
        "Nessuna informazione su Zendo.",
        "A Zendo não aparece nos resultados.",
        "Zendo wordt niet genoemd.",
        "Jag hittade ingen information om Zendo.",
        "Jeg fandt intet om Zendo.",
        "Jeg fant ingen informasjon om Zendo.",
        "Nie znalazłem informacji o Zendo.",
        "Brak informacji o Zendo.",
        "Nenašel jsem žádné informace o Zendo.",
        "Я не нашёл информации о Zendo.",
        "Я ничего не нашел о Zendo.",
        "Информация о Zendo отсутствует.",
        "Я не знайшов інформації про Zendo.",
        "Δεν βρήκα πληροφορίες για την Zendo.",
        "Zendo hakkında bilgi bulamadım.",
        "Zendoについての情報はありません。",
        "Zendo에 대한 정보가 없습니다.",
        "未找到Zendo的信息。",
        "找不到有關Zendo的資訊。",
        "لم أجد معلومات عن Zendo.",
        "לא מצאתי מידע על Zendo.",
        "ไม่พบข้อมูลเกี่ยวกับ Zendo",
        "मुझे Zendo के बारे में कोई जानकारी नहीं मिली।",
        "Tôi không tìm thấy thông tin về Zendo.",
        "Saya tidak menemukan informasi tentang Zendo.",
    ] {
        assert_eq!(
            reason(brand(0, "Zendo", &[], None), clause),
            Some(RejectionReason::NothingFound),
            "{clause}"
        );
    }
    for clause in [
        "Zendo ist nicht die billigste Lösung.",
        "Im Gegensatz zu Zendo ist Acme billig.",
        "Nichts ist besser als Zendo.",
        "Zendo n'est pas le moins cher.",
        "Zendo no es el más barato.",
        "Zendo erscheint nicht günstig.",
        "Zendo не самый дешёвый.",
        "Zendo hakkında şikayet yok.",
        "Zendoは最安ではありません。",
        "Zendo不是最便宜的。",
        "لم أجد معلومات عن Zendo أفضل من هذه.",
    ] {
        assert!(is_mentioned("Zendo", clause), "{clause}");
    }
}
