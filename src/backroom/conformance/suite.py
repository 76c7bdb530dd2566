"""All checks: once a game, and once a setting (a number of seats and options)."""

from backroom.conformance import replay, resampling, rules, secrecy, switches, text

ONCE = (
    rules.check_facts_are_stated,
    rules.check_examples,
    rules.check_seat_counts,
    rules.check_only_seats_act,
    rules.check_perft,
    rules.check_rulebook,
    switches.check_defaults_are_printed_rules,
    switches.check_unknown_options_are_refused,
    switches.check_options_bite,
    resampling.check_resample_is_uniform,
    replay.check_uncompiled,
)
EACH_SETTING = (
    rules.check_legal,
    rules.check_ahead,
    rules.check_default_completes,
    rules.check_end,
    rules.check_conserved,
    rules.check_bounds,
    rules.check_seats_are_symmetric,
    secrecy.check_twins,
    secrecy.check_events_tell_no_more_than_views,
    secrecy.check_actions_tell_no_more_than_views,
    secrecy.check_unfinished_moves_depend_on_nothing_hidden,
    resampling.check_resample_is_legal,
    resampling.check_resample_varies,
    resampling.check_resample_is_calibrated,
    replay.check_replay,
    replay.check_json,
    replay.check_past_states_stay,
    replay.check_chance_is_isolated,
    text.check_lines_name_players_apart,
    text.check_moves_round_trip,
    text.check_completions,
    text.check_positions_round_trip,
    text.check_garbage_is_refused,
    text.check_bad_positions_are_refused,
)
