//! Tests of the schedules.

use std::collections::BTreeSet;

use super::*;
use domain::time::HOUR;

#[test]
fn the_same_seed_gives_the_same_schedule_and_the_same_later_choices() {
    let rolls = |seed| {
        let schedule = Schedule::of(seed);
        let kinds = [("job", 0), ("job", 1), ("message", 0), ("reply", u64::MAX)];
        let rolls = kinds.map(|(kind, n)| schedule.rng(kind, n).next_u64());
        (schedule, rolls)
    };
    for seed in (0..500).chain([u64::MAX]) {
        assert_eq!(rolls(seed), rolls(seed), "{seed}");
        let (schedule, choices) = rolls(seed);
        assert_ne!(schedule, rolls(seed.wrapping_add(1)).0, "{seed}");
        let different: BTreeSet<u64> = choices.into_iter().collect();
        assert_eq!(different.len(), choices.len(), "{seed}");
    }
}

#[test]
fn schedules_contain_every_kind_of_fault() {
    let schedules: Vec<Schedule> = (0..200).map(Schedule::of).collect();
    let count = |is: &dyn Fn(&Schedule) -> bool| schedules.iter().filter(|s| is(s)).count();
    let happens = |is: &dyn Fn(&Event) -> bool| count(&|s| s.events.iter().any(|(_, event)| is(event)));
    assert!(count(&|s| s.fault_rates == FaultRates::default()) < 5);
    assert!(count(&|s| s.fault_rates.crashes > 0 && s.fault_rates.lost > 0) > 50);
    assert!(count(&|s| s.credits < 1_000) > 20);
    assert!(count(&|s| s.entities.len() == 3) > 20);
    assert!(happens(&|e| matches!(e, Event::Jump(by) if *by > millis(HOUR))) > 20);
    assert!(happens(&|e| matches!(e, Event::Jump(by) if *by < 0)) > 10);
    assert!(happens(&|e| matches!(e, Event::ReachDeadline)) > 10);
    let done =
        |wanted: fn(&Action) -> bool| happens(&|e| matches!(e, Event::Act { action, .. } if wanted(action)));
    assert!(done(|a| matches!(a, Action::DeleteEntity)) > 20);
    assert!(done(|a| matches!(a, Action::PausePrompt(_) | Action::DeletePrompt(_))) > 20);
    assert!(done(|a| matches!(a, Action::SelectModels { .. })) > 20);
    assert!(done(|a| matches!(a, Action::SetAlias(_))) > 20);
}
