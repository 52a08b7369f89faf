"""All kinds of events there are, told apart by their tags: what the codec reads back."""

from engine.protectors.ability_events import (
    AbilityUsed,
    AnswersShown,
    CardMoved,
    CardSeen,
    Corrected,
    FactionsSettled,
    GiftChosen,
    GuardHired,
    IslandChanged,
    KingFought,
    KingPaid,
    MoneyLent,
    PlayerSaved,
)
from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    CapitolNamed,
    CardRevealed,
    CardsLocked,
    CardStayed,
    CostPaid,
    DeckRenewed,
    DragonAttacked,
    DragonCame,
    GameSetUp,
    GameWon,
    LevelRaised,
    MarchMade,
    MoneySent,
    OptionVoted,
    OrderFailed,
    OrdersMissed,
    OrdersRevealed,
    PiratesPaid,
    PlagueStruck,
    PlankWalked,
    PlayerEliminated,
    ProvinceTaken,
    PurchaseCut,
    RankingChanged,
    RankingSet,
    RealmProduced,
    SnitchesRevealed,
    SupportCut,
    TieAsked,
    TieDrawn,
    TurnBegan,
    UnitsBought,
    UnitsOverLimit,
    WindowOpened,
    WorkDone,
)

AnyFacts = (
    GameSetUp
    | OptionVoted
    | BidsRevealed
    | TieAsked
    | TieDrawn
    | RankingSet
    | RankingChanged
    | TurnBegan
    | CardRevealed
    | CardStayed
    | DeckRenewed
    | CardsLocked
    | PlagueStruck
    | WindowOpened
    | OrdersMissed
    | OrdersRevealed
    | MoneySent
    | CostPaid
    | OrderFailed
    | PlankWalked
    | SnitchesRevealed
    | MarchMade
    | SupportCut
    | BattleFought
    | UnitsOverLimit
    | ProvinceTaken
    | PlayerEliminated
    | RealmProduced
    | WorkDone
    | PiratesPaid
    | CapitolNamed
    | LevelRaised
    | UnitsBought
    | PurchaseCut
    | DragonCame
    | DragonAttacked
    | GameWon
    | FactionsSettled
    | AnswersShown
    | AbilityUsed
    | GuardHired
    | CardSeen
    | CardMoved
    | KingFought
    | KingPaid
    | PlayerSaved
    | IslandChanged
    | GiftChosen
    | MoneyLent
    | Corrected
)
